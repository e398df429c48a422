//! What runs another command comes off, and what it runs is read.

use expect_test::expect;

use super::check;
use crate::facts::command::Place;
use crate::lines::Lang;

#[test]
fn wrappers_come_off() {
    check(
        &[
            "doas -u www rm -r a",
            "command rm a",
            "command -v rm",
            "builtin exec -a x rm a",
            "nohup nice -n 5 rm a &",
            "nice -5 rm a",
            "time -p rm a",
            "timeout -k 5 -s KILL 10s rm a",
            "stdbuf -oL rm a",
            "setsid -w rm a",
            "ionice -c2 -n7 rm a",
            "taskset -c 0-3 rm a",
            "chrt -f 10 rm a",
            "systemd-run --user --unit job -p A=b rm a",
            "unshare -rm rm a",
            "strace -f -o log rm a",
            "busybox rm a",
            "pkexec --user root rm a",
            "printf x | xargs -0 -n 1 -I {} rm -r {}",
            "parallel -j 4 rm -r ::: a b",
            "tmux new-session -d -s s 'rm -r a'",
            "screen -dmS s rm -r a",
            "su - www -c 'rm -r a'",
            "ssh -p 22 -i key u@h rm -r a",
            "ssh h \"sudo rm -r a; ls\"",
            "docker exec -it -u root box rm -r a",
            "docker exec box sh -lc 'rm -r a'",
            "kubectl exec -n ns pod -c c -- rm -r a",
            "docker compose exec -T web rm -r a",
            "podman run --rm -v /:/m img rm -r /m",
            "watch -n 5 rm -r a",
            "watch 'rm -r a'",
            "env -i -u X A=1 rm a",
            "env -S 'rm -r a'",
            "A=1 B=\"x y\" rm a",
            "sudo A=1 -u root rm a",
            "sudo -- rm a",
            "sudo -i",
            "eval \"rm -r\" a",
            "exec sudo rm a",
            "bash -x -c \"rm -r 'a b'\" name",
            "sh script.sh -c x",
            "find . -type f -execdir rm {} + -delete",
            "flock /tmp/l -c \"rm -r a\"",
            "flock /tmp/l rm a",
            "chroot /m rm a",
            "sudo sudo sudo sudo sudo sudo sudo sudo sudo rm a",
            "trap \"rm -r a\" EXIT",
            "xargs",
            "sudo -u",
            "/usr/bin/env rm a",
            "ssh h <<'E'\nrm a\nE",
            "nsenter -t 1 -m -u -- rm a",
        ],
        Place::Code(Lang::Shell),
        expect![[r#"
            == doas -u www rm -r a
            doas: rm -r a [doas -u www rm -r a]
            == command rm a
            command: rm a [command rm a]
            == command -v rm
            command -v rm [command -v rm]
            == builtin exec -a x rm a
            exec: builtin: rm a [builtin exec -a x rm a]
            == nohup nice -n 5 rm a &
            nice: nohup: rm a [nohup nice -n 5 rm a]
            == nice -5 rm a
            nice: rm a [nice -5 rm a]
            == time -p rm a
            time: rm a [time -p rm a]
            == timeout -k 5 -s KILL 10s rm a
            timeout: rm a [timeout -k 5 -s KILL 10s rm a]
            == stdbuf -oL rm a
            stdbuf: rm a [stdbuf -oL rm a]
            == setsid -w rm a
            setsid: rm a [setsid -w rm a]
            == ionice -c2 -n7 rm a
            ionice: rm a [ionice -c2 -n7 rm a]
            == taskset -c 0-3 rm a
            taskset: rm a [taskset -c 0-3 rm a]
            == chrt -f 10 rm a
            chrt: rm a [chrt -f 10 rm a]
            == systemd-run --user --unit job -p A=b rm a
            systemd-run: rm a [systemd-run --user --unit job -p A=b rm a]
            == unshare -rm rm a
            unshare: rm a [unshare -rm rm a]
            == strace -f -o log rm a
            strace: rm a [strace -f -o log rm a]
            == busybox rm a
            busybox: rm a [busybox rm a]
            == pkexec --user root rm a
            pkexec: rm a [pkexec --user root rm a]
            == printf x | xargs -0 -n 1 -I {} rm -r {}
            printf x [printf x]
            xargs: rm -r {} | [xargs -0 -n 1 -I {} rm -r {}]
            == parallel -j 4 rm -r ::: a b
            parallel: rm -r ::: a b [parallel -j 4 rm -r ::: a b]
            == tmux new-session -d -s s 'rm -r a'
            tmux new-session -d -s s rm -r a [tmux new-session -d -s s 'rm -r a']
            rm -r a < Inline [tmux new-session -d -s s 'rm -r a]
            == screen -dmS s rm -r a
            screen -dmS s rm -r a [screen -dmS s rm -r a]
            rm -r a < Exec [screen -dmS s rm -r a]
            == su - www -c 'rm -r a'
            su - www -c rm -r a [su - www -c 'rm -r a']
            rm -r a < Inline [su - www -c 'rm -r a]
            == ssh -p 22 -i key u@h rm -r a
            ssh: rm -r a [ssh -p 22 -i key u@h rm -r a]
            == ssh h "sudo rm -r a; ls"
            ssh: sudo rm -r a; ls [ssh h "sudo rm -r a; ls"]
            sudo: rm -r a < Inline [ssh h "sudo rm -r a]
            ls < Inline [ssh h "sudo rm -r a; ls]
            == docker exec -it -u root box rm -r a
            docker exec: rm -r a [docker exec -it -u root box rm -r a]
            == docker exec box sh -lc 'rm -r a'
            docker exec: sh -lc rm -r a [docker exec box sh -lc 'rm -r a']
            rm -r a < Inline [docker exec box sh -lc 'rm -r a]
            == kubectl exec -n ns pod -c c -- rm -r a
            kubectl exec: rm -r a [kubectl exec -n ns pod -c c -- rm -r a]
            == docker compose exec -T web rm -r a
            docker compose exec: rm -r a [docker compose exec -T web rm -r a]
            == podman run --rm -v /:/m img rm -r /m
            podman run: rm -r /m [podman run --rm -v /:/m img rm -r /m]
            == watch -n 5 rm -r a
            watch: rm -r a [watch -n 5 rm -r a]
            == watch 'rm -r a'
            watch: rm -r a [watch 'rm -r a']
            rm -r a < Inline [watch 'rm -r a]
            == env -i -u X A=1 rm a
            env: rm a [env -i -u X A=1 rm a]
            == env -S 'rm -r a'
            env -S rm -r a [env -S 'rm -r a']
            rm -r a < Inline [env -S 'rm -r a]
            == A=1 B="x y" rm a
            rm a [A=1 B="x y" rm a]
            == sudo A=1 -u root rm a
            sudo: rm a [sudo A=1 -u root rm a]
            == sudo -- rm a
            sudo: rm a [sudo -- rm a]
            == sudo -i
            sudo -i [sudo -i]
            == eval "rm -r" a
            eval rm -r a [eval "rm -r" a]
            rm -r a < Inline [eval "rm -r" a]
            == exec sudo rm a
            sudo: exec: rm a [exec sudo rm a]
            == bash -x -c "rm -r 'a b'" name
            bash -x -c rm -r 'a b' name [bash -x -c "rm -r 'a b'" name]
            rm -r a b < Inline [bash -x -c "rm -r 'a b']
            == sh script.sh -c x
            sh script.sh -c x [sh script.sh -c x]
            == find . -type f -execdir rm {} + -delete
            find . -type f -execdir rm {} + -delete [find . -type f -execdir rm {} + -delete]
            rm {} < Exec [find . -type f -execdir rm {}]
            == flock /tmp/l -c "rm -r a"
            flock: rm -r a [flock /tmp/l -c "rm -r a"]
            rm -r a < Inline [flock /tmp/l -c "rm -r a]
            == flock /tmp/l rm a
            flock: rm a [flock /tmp/l rm a]
            == chroot /m rm a
            chroot: rm a [chroot /m rm a]
            == sudo sudo sudo sudo sudo sudo sudo sudo sudo rm a
            sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: sudo: rm a [sudo sudo sudo sudo sudo sudo sudo sudo sudo rm a]
            == trap "rm -r a" EXIT
            trap rm -r a EXIT [trap "rm -r a" EXIT]
            rm -r a < Inline [trap "rm -r a]
            == xargs
            xargs [xargs]
            == sudo -u
            sudo -u [sudo -u]
            == /usr/bin/env rm a
            env: rm a [/usr/bin/env rm a]
            == ssh h <<'E'
            rm a
            E
            ssh h [ssh h]
            rm a < Document [rm a]
            == nsenter -t 1 -m -u -- rm a
            nsenter: rm a [nsenter -t 1 -m -u -- rm a]
        "#]],
    );
}

/// However many there are, all come off: there is no number of them behind which a command is out of sight.
#[test]
fn any_number_of_wrappers_comes_off() {
    use crate::facts::command::candidates;
    for wrapper in ["sudo ", "env ", "env A=b ", "eval ", "A=b nice -n 5 ", "timeout 5 "] {
        for count in [31, 32, 33, 70, 400, 20_000] {
            let unit = format!("{}rm -rf a", wrapper.repeat(count));
            let found = candidates(&unit, Place::Code(Lang::Shell));
            let mut commands = found.iter().flat_map(|candidate| &candidate.script.commands);
            let off = commands.any(|simple| simple.program == "rm" && simple.wrappers.len() == count);
            assert!(off, "{count} times {wrapper}");
        }
    }
}
