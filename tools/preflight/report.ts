import type { Finding, FindingState } from './finding.js';
import { isSound } from './run-checks.js';

const STATES: Readonly<Record<FindingState, string>> = {
  ok: 'ok',
  missing: 'missing',
  wrong: 'wrong',
  unknown: 'cannot tell',
};
const HEADER = ['check', 'subject', 'state', 'found', 'what to do'] as const;

/** Keeps texts of other parties from writing to the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');

/** One table of all findings, and the verdict. */
export function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map(({ check, subject, state, found = '', action = '' }) =>
    [check, subject, STATES[state], found, action].map(printable),
  );
  const widths = HEADER.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(HEADER), ...rows.map(line), '', verdictOf(findings)].join('\n');
}

function verdictOf(findings: readonly Finding[]): string {
  if (isSound(findings)) return `Everything is as expected: ${findings.length} findings.`;
  const counts = (['missing', 'wrong', 'unknown'] as const).map((state) => {
    const count = findings.filter((finding) => finding.state === state).length;
    return `${count} ${STATES[state]}`;
  });
  return `Not ready: ${counts.join(', ')} of ${findings.length} findings.`;
}
