import { isSound, type NodeReport } from './check-deployment.js';
import type { Finding } from './finding.js';

/** A table for each node, and what is wrong at the end. */
export function tablesOf(reports: readonly NodeReport[]): string {
  const wrong = reports.flatMap(({ findings }) => findings.filter(({ ok }) => !ok)).length;
  const verdict = isSound(reports)
    ? 'Everything is as expected.'
    : `${wrong} of the checks failed: see ✗ above.`;
  return [...reports.map(tableOf), verdict].join('\n\n');
}

function tableOf({ chain, chainId, node, findings }: NodeReport): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const rows = findings.map((finding) => row(finding, width));
  return [`${chain} (${chainId}), node ${node}`, ...rows].join('\n');
}

function row({ check, address, expected, found, ok }: Finding, width: number): string {
  const at = address ?? ' '.repeat(42);
  const outcome = ok ? found : `${found}, expected ${expected}`;
  return `  ${ok ? '✓' : '✗'} ${check.padEnd(width)}  ${at}  ${outcome}`;
}

export const jsonOf = (reports: readonly NodeReport[]): string =>
  JSON.stringify({ ok: isSound(reports), nodes: reports }, null, 2);
