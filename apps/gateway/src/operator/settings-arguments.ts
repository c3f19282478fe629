import type { RevenueShareState } from '@bascule/contracts';
import {
  parseArguments,
  requiredFlag,
  textFlags,
  UsageError,
  uuidArgument,
} from '@bascule/operator-commands';
import { revenueShareName, revenueShareReceivers } from './revenue-share-argument.js';

/** Command on the settings of one organisation. */
export type SettingsCommand = { organisationId: string } & (
  | { name: 'rev-shares create'; share: RevenueShareState }
  | { name: 'rev-shares list' }
  | { name: 'rev-shares disable'; share: string }
);

/** Facts that arguments are checked against. */
export interface Deployment {
  chains: ReadonlySet<string>;
}

type Parsed<Command = SettingsCommand> = Command extends unknown
  ? Omit<Command, 'organisationId'>
  : never;

const OPTIONS = textFlags('organisation', 'name', 'receivers');
type Flags = Partial<Record<keyof typeof OPTIONS, string>>;

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
