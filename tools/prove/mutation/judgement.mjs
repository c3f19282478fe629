import { againstArguments } from '../arguments.mjs';

/**
 * Judges mutants by their outcomes.
 *
 * @param files files whose mutants were tried; arguments about others are ignored
 * @param argued reasons by the mutant's name
 */
export function judge(report, files, argued) {
  const named = (wanted) =>
    report.filter(({ outcome }) => outcome === wanted).map(({ name }) => name);
  const survivors = new Set(named('survived'));
  const ofFiles = Object.entries(argued).filter(([name]) => files.has(name.split(' ', 1)[0]));
  const { open, stale } = againstArguments(survivors, Object.fromEntries(ofFiles));
  const counts = {
    killed: named('killed').length,
    argued: survivors.size - open.length,
    same: named('same').length,
    refused: named('refused').length,
  };
  // No killed mutant means that no test was run.
  const nothing = counts.killed === 0 ? 1 : 0;
  return {
    counts,
    open,
    stale,
    passed: counts.killed + counts.argued,
    failed: open.length + stale.length + nothing,
  };
}
