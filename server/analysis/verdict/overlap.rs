//! Findings on overlapping words are one finding (CONTRACTS, "Rule ids").
//!
//! The strongest stays: reported before exempt before suppressed, then the graver, then the one that starts first, then
//! the order of groups. The others' rules are named in `also`. What was absorbed absorbs nothing, and a secret is never
//! absorbed: it stays a finding of its own whatever else is said of its words.

use super::Finding;
use crate::catalogue::Group;

/// One finding for each stretch of overlapping words, in order of position.
pub(super) fn resolve(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|f| (f.span.offset, f.span.length));
    let mut resolved = Vec::with_capacity(findings.len());
    let mut cluster: Vec<Finding> = Vec::new();
    let mut end = 0;
    for finding in findings {
        if !cluster.is_empty() && finding.span.offset >= end {
            settle(&mut cluster, &mut resolved);
        }
        end = end.max(finding.span.offset + finding.span.length);
        cluster.push(finding);
    }
    settle(&mut cluster, &mut resolved);
    resolved.sort_by_key(|f| (f.span.offset, f.span.length, f.rule));
    resolved
}

/// Resolves findings that overlap each other in a chain, and empties the cluster.
fn settle(cluster: &mut Vec<Finding>, resolved: &mut Vec<Finding>) {
    if cluster.len() < 2 {
        resolved.append(cluster);
        return;
    }
    cluster.sort_by_key(|f| (f.status, std::cmp::Reverse(f.severity), f.span.offset, f.group, f.rule));
    let first = resolved.len();
    for finding in cluster.drain(..) {
        let absorbs = |kept: &&mut Finding| overlap(kept, &finding);
        let by =
            if finding.group == Group::Secret { None } else { resolved[first..].iter_mut().find(absorbs) };
        match by {
            None => resolved.push(finding),
            Some(kept) => {
                if finding.rule != kept.rule && !kept.also.contains(&finding.rule) {
                    kept.also.push(finding.rule);
                }
            }
        }
    }
}

fn overlap(a: &Finding, b: &Finding) -> bool {
    let end = |f: &Finding| f.span.offset + f.span.length;
    a.span.offset < end(b) && b.span.offset < end(a)
}
