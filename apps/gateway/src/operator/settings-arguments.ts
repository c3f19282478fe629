import { EDGE_NAME, type RevenueShareState } from '@bascule/contracts';
import {
  parseArguments,
  requiredFlag,
  textFlags,
  UsageError,
  uuidArgument,
} from '@bascule/operator-commands';
import { MAX_QUOTA } from './limits.js';
import type { QuotaChange } from './quota-change.js';
import { redirectOrigin } from './redirect-origin.js';
import { revenueShareName, revenueShareReceivers } from './revenue-share-argument.js';

/** Command on the settings of one organisation. */
export type SettingsCommand = { organisationId: string } & (
  | { name: 'rev-shares create'; share: RevenueShareState }
  | { name: 'rev-shares list' }
  | { name: 'rev-shares disable'; share: string }
  | { name: 'edges open' | 'edges close'; edge: string }
  | { name: 'edges list' }
  | { name: 'quotas set'; quotas: QuotaChange }
  | { name: 'quotas list' }
  | { name: 'redirect-origins add' | 'redirect-origins remove'; origin: string }
  | { name: 'redirect-origins list' }
);

/** Facts that arguments are checked against. */
export interface Deployment {
  chains: ReadonlySet<string>;
  isDevelopment: boolean;
}

type Parsed<Command = SettingsCommand> = Command extends unknown
  ? Omit<Command, 'organisationId'>
  : never;

const OPTIONS = textFlags(
  ...(['organisation', 'name', 'receivers', 'edge', 'origin'] as const),
  ...(['quotes-per-second', 'unfunded-payments', 'unsigned-withdrawals'] as const),
);
type Flags = Partial<Record<keyof typeof OPTIONS, string>>;

function edge(flags: Flags): string {
  const name = requiredFlag(flags, 'edge');
  if (EDGE_NAME.test(name)) return name;
  throw new UsageError(`--edge must be the name of a rule like ${EDGE_NAME.source}, got ${name}`);
}

/** Flags of quotas, and the names of these in events. */
const QUOTA_FLAGS = {
  'quotes-per-second': 'quotes_per_second',
  'unfunded-payments': 'unfunded_payments',
  'unsigned-withdrawals': 'unsigned_withdrawals',
} as const;

/** A quota, or null for the deployment's. */
function quota(flag: string, text: string): number | null {
  if (text === 'default') return null;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= MAX_QUOTA) return value;
  throw new UsageError(`--${flag} must be 1 to ${MAX_QUOTA}, or default, got ${text}`);
}

function quotas(flags: Flags): QuotaChange {
  const names = Object.keys(QUOTA_FLAGS) as (keyof typeof QUOTA_FLAGS)[];
  const change: QuotaChange = {};
  for (const flag of names) {
    const text = flags[flag];
    if (text !== undefined) change[QUOTA_FLAGS[flag]] = quota(flag, text);
  }
  if (Object.keys(change).length > 0) return change;
  throw new UsageError(`${names.map((name) => `--${name}`).join(' or ')} is missing`);
}

const COMMANDS: Record<string, (flags: Flags, deployment: Deployment) => Parsed> = {
  'rev-shares create': (flags, { chains }) => ({
    name: 'rev-shares create',
    share: {
      name: revenueShareName(requiredFlag(flags, 'name')),
      receivers: revenueShareReceivers(requiredFlag(flags, 'receivers'), chains),
    },
  }),
  'rev-shares list': () => ({ name: 'rev-shares list' }),
  'rev-shares disable': (flags) => ({
    name: 'rev-shares disable',
    share: requiredFlag(flags, 'name'),
  }),
  'edges open': (flags) => ({ name: 'edges open', edge: edge(flags) }),
  'edges close': (flags) => ({ name: 'edges close', edge: edge(flags) }),
  'edges list': () => ({ name: 'edges list' }),
  'quotas set': (flags) => ({ name: 'quotas set', quotas: quotas(flags) }),
  'quotas list': () => ({ name: 'quotas list' }),
  'redirect-origins add': (flags, { isDevelopment }) => ({
    name: 'redirect-origins add',
    origin: redirectOrigin(requiredFlag(flags, 'origin'), isDevelopment),
  }),
  'redirect-origins remove': (flags) => ({
    name: 'redirect-origins remove',
    // Whatever the deployment has become, a registered origin can be removed.
    origin: redirectOrigin(requiredFlag(flags, 'origin'), true),
  }),
  'redirect-origins list': () => ({ name: 'redirect-origins list' }),
};

/** Groups of commands on the settings of organisations. */
export const isSettingsGroup = (group: string | undefined): boolean =>
  Object.keys(COMMANDS).some((command) => command.startsWith(`${group} `));

/** @throws UsageError */
export function parseSettingsCommand(
  argv: readonly string[],
  deployment: Deployment,
): SettingsCommand {
  const { values, positionals } = parseArguments(argv, OPTIONS);
  const parse = COMMANDS[positionals.join(' ')];
  if (parse === undefined) throw new UsageError(`unknown command: ${positionals.join(' ')}`);
  const organisationId = uuidArgument(
    requiredFlag(values, 'organisation'),
    '--organisation is not an id',
  );
  return { organisationId, ...parse(values, deployment) };
}
