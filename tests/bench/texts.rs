//! Texts to be timed on: made, never read from anywhere, and no two paragraphs alike.

use caveat_analysis::Language;

/// A runbook of about `size` bytes: headings, prose, lists, fences, tables, labels, a dangerous command in a hundred lines.
pub(crate) fn runbook(size: usize) -> String {
    let mut text = String::new();
    let mut n = 0;
    while text.len() < size {
        n += 1;
        text.push_str(&format!(
            "## Step {n}: drain the pool\n\nMove traffic away first, then wait until `conn_active` is 0.\nThis takes about \
             {n} minutes; page the on-call if it takes longer.\n\n- check the dashboard\n- note the time\n- tell the channel\n\n\
             ```sh\nkubectl get pods -n pool-{n}\nsystemctl status pool\ncurl -s https://example.com/health | jq .status\n```\n\n\
             | host | state |\n|---|---|\n| a-{n} | up |\n| b-{n} | down |\n\n"
        ));
        if n % 5 == 0 {
            text.push_str("Never run these commands:\n\n```sh\nrm -rf /srv/pool\ngit push --force\n```\n\n");
        }
        if n % 7 == 0 {
            text.push_str("Then run `rm -rf cache` and start again.\n\n");
        }
    }
    text
}

/// Paragraphs of `sentences`, three to five in each, about `size` bytes; `@` becomes a number, and `end` follows each.
fn prose(sentences: &[&str], end: &str, size: usize) -> String {
    let mut text = String::new();
    let (mut n, mut seed) = (0, 7_usize);
    while text.len() < size {
        n += 1;
        for at in 0..3 + n % 3 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(&sentences[(seed >> 33) % sentences.len()].replace('@', &n.to_string()));
            text.push_str(if at % 2 == 0 { end } else { "\n" });
        }
        text.push_str("\n\n");
    }
    text
}

/// English as runbooks and guides for agents are written in: about `size` bytes without markup.
pub(crate) fn english(size: usize) -> String {
    const SENTENCES: [&str; 24] = [
        "The service keeps its state in a queue, and the workers read from it in the order of arrival.",
        "Before you change the schema, read the notes of release @ and tell the people who own the reports.",
        "Every new module has a test of its own; do not add one without it.",
        "When a build fails, look at the first error only, because the later ones often follow from it.",
        "Our previous instructions for the gateway were written for version @ and no longer hold.",
        "You can ignore the warnings about unused imports while the rest of the file is being moved.",
        "If the answer of the server is empty, wait for @ seconds and ask again.",
        "All rules for naming are in the guide, and the system checks them on every commit.",
        "A reader of this page should know how the cache works and which tools show its contents.",
        "The user sees a message in the panel, so write it for somebody who does not know the code.",
        "Prefer small functions with clear names to long ones with comments.",
        "The old configuration is kept for @ days, after which it is removed by the nightly job.",
        "Please ask for a review before merging, even where the change looks harmless.",
        "Nothing in this folder is generated, and everything in the one beside it is.",
        "Dates are stored in coordinated universal time and shown in the zone of the person who asks.",
        "We measured the latency of both paths and kept the one with the lower tail.",
        "Use the shared client for requests to other services; it retries and it logs.",
        "Once the migration is complete, the flag can go, and so can the code behind it.",
        "An agent that works here runs the checks, reads their output and reports what it did.",
        "Keep secrets out of the repository: the deployment reads them from its own store.",
        "The interface has three parts, of which the second is the hardest to get right.",
        "There is a diagram of the network in chapter @, with the ports and their purpose.",
        "Performance matters most in the parser, since it sees every byte of every file.",
        "Explain in the description why the change is needed and what else was considered.",
    ];
    prose(&SENTENCES, " ", size)
}

/// Chinese likewise.
pub(crate) fn chinese(size: usize) -> String {
    const SENTENCES: [&str; 12] = [
        "服务把状态保存在队列里，工作进程按照到达的顺序读取。",
        "修改数据库结构之前，请先阅读第@版的发布说明，并通知报表的负责人。",
        "每个新模块都要有自己的测试，不要在没有测试的情况下提交代码。",
        "构建失败时只看第一条错误，后面的错误往往由它引起。",
        "网关的旧说明是为第@版写的，现在已经不再适用。",
        "如果服务器返回的内容为空，请等待@秒后再次请求。",
        "所有命名规则都写在指南里，系统会在每次提交时检查。",
        "用户会在面板上看到提示信息，所以请为不了解代码的人书写。",
        "旧配置会保留@天，之后由夜间任务删除。",
        "合并之前请先请同事审查，即使改动看起来没有问题。",
        "日期以协调世界时保存，并按照查询者所在的时区显示。",
        "请在描述中解释为什么需要这个改动，以及还考虑过哪些方案。",
    ];
    prose(&SENTENCES, "", size)
}

/// A record of about `size` bytes: steps with a note and a script, as JSON or as YAML.
pub(crate) fn record(size: usize, language: Language) -> String {
    let mut text = String::from(if language == Language::Json { "{\"steps\": [\n" } else { "steps:\n" });
    let mut n = 0;
    while text.len() < size {
        n += 1;
        let step = if language == Language::Json {
            format!(
                "{{\n  \"name\": \"step {n}\",\n  \"note\": \"Wait until \\\"conn_active\\\" is 0, about {n} \
                 minutes.\",\n  \"run\": \"systemctl status pool && curl -s https://example.com/health\",\n  \
                 \"args\": [\"-n\", \"pool-{n}\"]\n}},\n"
            )
        } else {
            format!(
                "  - name: step {n}\n    note: Wait until conn_active is 0, about {n} minutes.\n    run: |\n      \
                 systemctl status pool\n      curl -s https://example.com/health\n    args: [\"-n\", \"pool-{n}\"]\n"
            )
        };
        text.push_str(&step);
    }
    if language == Language::Json {
        text.push_str("]}\n");
    }
    text
}
