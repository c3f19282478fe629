import { chainDefinitions } from '@bascule/chain';
import { parseArguments, textFlags, UsageError } from '@bascule/operator-commands';
import { parseUnits } from 'viem';
import { checks as allChecks } from './checks/index.js';
import type { Check } from './finding.js';

/** Arguments of `npm run operator -- preflight`. */
export interface PreflightArguments {
  /** Folder of the services' environments. */
  environments?: string;
  /** Service of the process's own environment. */
  service?: string;
  /** File with which the contracts were deployed. */
  settings?: string;
  checks: readonly Check[];
  leastBalances: ReadonlyMap<string, bigint>;
  json: boolean;
}

/** @throws UsageError */
export function readArguments(argv: readonly string[]): PreflightArguments {
  const { values, positionals } = parseArguments(argv, {
    ...textFlags('environments', 'service', 'settings', 'only', 'skip', 'least-balance'),
    json: { type: 'boolean', default: false },
  } as const);
  if (positionals.length > 0) throw new UsageError(`unknown argument: ${positionals.join(' ')}`);
  const { environments, service, settings, only, skip } = values;
  if (environments !== undefined && service !== undefined) {
    throw new UsageError('expected --environments or --service, not both');
  }
  return {
    ...(environments !== undefined && { environments }),
    ...(service !== undefined && { service }),
    ...(settings !== undefined && { settings }),
    checks: selected(only, skip),
    leastBalances: leastBalances(values['least-balance']),
    json: values.json,
  };
}

function selected(only: string | undefined, skip: string | undefined): readonly Check[] {
  const [wanted, unwanted] = [namesIn(only), namesIn(skip)];
  return allChecks.filter(
    ({ name }) => (wanted.length === 0 || wanted.includes(name)) && !unwanted.includes(name),
  );
}

function namesIn(list: string | undefined): readonly string[] {
  const names = list?.split(',').map((name) => name.trim()) ?? [];
  const known = allChecks.map(({ name }) => name);
  const strangers = names.filter((name) => !known.includes(name));
  if (strangers.length === 0) return names;
  throw new UsageError(`expected checks of ${known.join(', ')}, got ${strangers.join(', ')}`);
}

/** Reads `CHAIN=AMOUNT,…` in whole native coins. */
function leastBalances(list: string | undefined): ReadonlyMap<string, bigint> {
  const entries = list?.split(',').map((entry) => {
    const [, chain = '', amount = ''] = /^([a-z]+)=(\d+(?:\.\d{1,18})?)$/.exec(entry.trim()) ?? [];
    const definition = chainDefinitions[chain];
    if (definition === undefined) {
      throw new UsageError(`expected --least-balance CHAIN=AMOUNT,…, got ${entry}`);
    }
    return [chain, parseUnits(amount, definition.nativeCurrency.decimals)] as const;
  });
  return new Map(entries);
}
