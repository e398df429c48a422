"""Scans generated records in one process, under GNU parallel and by Spark, and compares the answers.

usage: scan.py CAVEAT RECORDS
"""

import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

CAVEAT = sys.argv[1]
RECORDS = int(sys.argv[2])
CHECK = [CAVEAT, "check", "--records", "--fail-on", "never", "--today", "2026-06-01"]
JOBS = os.cpu_count() or 1

PATHS = ["AGENTS.md", "skills/{n}/SKILL.md", "runbooks/{n}.md", "README.md", ".cursor/rules/{n}.mdc", "docs/{n} é\u202e.md"]
PROSE = ["Read the change first.", "Ask before you deploy.", "Les journaux sont là.", "部署前请先询问。", "Keep it short. 🚀"]
COMMANDS = ["rm -rf /srv/data", "git push --force", "make test", "cargo build", "kubectl delete namespace shop", "ls -l"]


def records(count):
    """The records, the same every time."""
    dice = random.Random(7)
    for n in range(count):
        parts = [f"# Part {n}", dice.choice(PROSE)]
        if dice.random() < 0.4:
            if dice.random() < 0.5:
                parts.append("Never run these commands:")
            parts.append("```sh\n" + "\n".join(dice.choices(COMMANDS, k=3)) + "\n```")
        parts.append(" ".join(dice.choices(PROSE, k=dice.randint(1, 12))))
        yield {"path": dice.choice(PATHS).format(n=n), "text": "\n\n".join(parts) + "\n"}


def write(path, count):
    with open(path, "w", encoding="utf-8") as out:
        for record in records(count):
            out.write(json.dumps(record, ensure_ascii=False) + "\n")


def digest(paths):
    """How many lines, and a hash of all."""
    seen, lines = hashlib.sha256(), 0
    for path in paths:
        with open(path, "rb") as part:
            while block := part.read(1 << 20):
                seen.update(block)
                lines += block.count(b"\n")
    return lines, seen.hexdigest()


def alone(source, out, jobs):
    """One process; gives the seconds and the peak of its memory in MiB."""
    begun = time.monotonic()
    with open(source, "rb") as stdin, open(out, "wb") as stdout:
        child = subprocess.Popen([*CHECK, "--jobs", str(jobs)], stdin=stdin, stdout=stdout)
        _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"FAILED: status {os.waitstatus_to_exitcode(status)}")
    return time.monotonic() - begun, usage.ru_maxrss / 1024


def parallel(source, out):
    begun = time.monotonic()
    with open(source, "rb") as stdin, open(out, "wb") as stdout:
        # --keep-order: the answers come as the records went.
        subprocess.run(
            ["parallel", "--will-cite", "--pipe", "--keep-order", "--block", "8M", "--jobs", str(JOBS), *CHECK, "--jobs", "1"],
            stdin=stdin, stdout=stdout, check=True,
        )
    return time.monotonic() - begun


def spark(source, out):
    import shlex

    from pyspark.sql import SparkSession

    begun = time.monotonic()
    session = SparkSession.builder.master(f"local[{JOBS}]").appName("caveat").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    lines = session.sparkContext.textFile(source.as_uri(), minPartitions=4 * JOBS)
    lines.pipe(shlex.join([*CHECK, "--jobs", "1"]), checkCode=True).saveAsTextFile(out.as_uri())
    session.stop()
    return time.monotonic() - begun


work = pathlib.Path(tempfile.mkdtemp())
try:
    failed = False
    few, source = work / "few.jsonl", work / "records.jsonl"
    write(few, max(1, RECORDS // 20))
    write(source, RECORDS)
    print(f"{RECORDS} records, {source.stat().st_size / 1e6:.0f} MB, {JOBS} processors")
    _, small = alone(few, work / "few.out", JOBS)
    took, large = alone(source, work / "alone.out", JOBS)
    print(f"one process:  {took:7.1f} s, {RECORDS / took:9.0f} records/s, peak {large:.0f} MiB ({small:.0f} MiB at a twentieth)")
    took = parallel(source, work / "parallel.out")
    print(f"GNU parallel: {took:7.1f} s, {RECORDS / took:9.0f} records/s")
    took = spark(source, work / "spark.out")
    print(f"Spark:        {took:7.1f} s, {RECORDS / took:9.0f} records/s (its start included)")
    answers = {
        "one process": digest([work / "alone.out"]),
        "GNU parallel": digest([work / "parallel.out"]),
        "Spark": digest(sorted((work / "spark.out").glob("part-*"))),
    }
    for name, (lines, _) in answers.items():
        if lines != RECORDS:
            print(f"FAILED: {name}: {lines} answers for {RECORDS} records")
            failed = True
    if len(set(answers.values())) != 1:
        print(f"FAILED: the answers differ: {answers}")
        failed = True
    # What is read ahead is bounded, so that a long stream takes no more than a short one, give or take an allocator's mood.
    if large > 1.5 * small + 32:
        print("FAILED: the memory grows with the number of records")
        failed = True
    print("FAILED" if failed else "ok: equal answers, constant memory")
    sys.exit(failed)
finally:
    shutil.rmtree(work)
