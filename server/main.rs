//! The `caveat` binary: arguments, then one line per subcommand.

use std::process::ExitCode;

use caveat_cli::{Arguments, Command};

fn main() -> ExitCode {
    caveat_cli::keep_quiet_about_values();
    match Arguments::read().command {
        Command::Lsp(options) => {
            let status =
                caveat_lsp::run(caveat_lsp::Options { client_process_id: options.client_process_id });
            ExitCode::from(u8::try_from(status).unwrap_or(1))
        }
        Command::Check(options) => caveat_cli::check(&options),
        Command::Explain(options) => caveat_cli::explain(&options),
        Command::Audit(options) => caveat_cli::audit(&options),
        Command::Rules(options) => caveat_cli::rules(&options),
        Command::Schema(options) => caveat_cli::schema(&options),
        Command::Init => caveat_cli::init(),
        Command::Completions(options) => caveat_cli::completions(&options),
        Command::Man => caveat_cli::man(),
    }
}
