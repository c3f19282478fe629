import { formatUnits } from 'viem';
import type { TokenIdentifier } from '@bascule/contracts';
import { COLUMNS, entryOf } from './verify/token-ledger.js';
import type { Verdict } from './verify/verify.js';

const BROKEN_SHOWN = 10;

/** Rows as aligned columns; numbers are aligned to the right. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: readonly string[], isHeader = false) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return !isHeader && /^[\d.,-]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  return [
    line(header, true),
    widths.map((width) => '─'.repeat(width)).join('  '),
    ...rows.map((row) => line(row)),
  ].join('\n');
}

export function claimsTable({ findings }: Verdict): string {
  const rows = findings.claims.map(({ text, checked, broken }) => [
    broken.length === 0 && checked > 0 ? '✓' : '✗',
    text,
    String(checked),
    String(broken.length),
  ]);
  const details = findings.claims.flatMap(({ text, broken }) =>
    broken.length === 0
      ? []
      : [`\n✗ ${text}`, ...broken.slice(0, BROKEN_SHOWN).map((each) => `    ${each}`)],
  );
  return [table(['', 'claim', 'checked', 'broken'], rows), ...details].join('\n');
}

/** Table of the amounts that moved through wallets on chain, with the databases' differences. */
export function sumsTable(
  { onChain, inDatabases }: Verdict,
  tokens: ReadonlyMap<TokenIdentifier, { symbol: string; decimals: number }>,
): string {
  const rows = [...tokens].flatMap(([token, { symbol, decimals }]) => {
    const [chain, databases] = [entryOf(onChain, token), entryOf(inDatabases, token)];
    if (COLUMNS.every((column) => chain[column] === 0n && databases[column] === 0n)) return [];
    const amounts = COLUMNS.map((column) => formatUnits(chain[column], decimals));
    const apart = COLUMNS.filter((column) => chain[column] !== databases[column]);
    const said = apart.map((column) => `${column} ${formatUnits(databases[column], decimals)}`);
    return [[`${token.split(':')[0]} ${symbol}`, ...amounts, said.join(', ') || 'the same']];
  });
  const names = [
    'deposits',
    'used by legs',
    'of it fees',
    'sent across',
    'paid out',
    'withdrawn',
    'left',
  ];
  return table(['on chain', ...names, 'in the databases'], rows);
}
