import { OPT_IN_METHODS, PERMISSIONS } from '@bascule/contracts';
import type { OptInMethod, Permission } from '@bascule/contracts';
import {
  parseArguments,
  requiredFlag,
  textFlags,
  UsageError,
  uuidArgument,
} from '@bascule/operator-commands';

export type OperatorCommand =
  | { name: 'organisations create'; organisation: string }
  | { name: 'organisations list' }
  | { name: 'organisations restrict'; organisationId: string; origins: string[] | null }
  | {
      name: 'keys create';
      organisationId: string;
      label: string;
      permissions: Permission[];
      methods: OptInMethod[];
      expiresAt: Date | null;
      rateLimit: number | null;
    }
  | { name: 'keys list'; organisationId: string | null }
  | { name: 'keys limit'; keySetId: string; rateLimit: number | null }
  | { name: 'keys methods'; keySetId: string; methods: OptInMethod[] }
  | { name: 'keys revoke'; id: string };

const OPTIONS = textFlags(
  'name',
  'organisation',
  'origins',
  'label',
  'permissions',
  'methods',
  'expires-at',
  'limit',
  'key-set',
  'id',
);
type Flag = keyof typeof OPTIONS;
type Flags = Partial<Record<Flag, string>>;

const uuidFlag = (flags: Flags, flag: Flag): string =>
  uuidArgument(requiredFlag(flags, flag), `--${flag} is not an id`);

const split = (text: string): string[] => text.split(',').map((item) => item.trim());

function permissions(text: string | undefined): Permission[] {
  if (text === undefined) return [...PERMISSIONS];
  const names = split(text);
  const unknown = names.filter((name) => !PERMISSIONS.some((known) => known === name));
  if (unknown.length > 0) {
    throw new UsageError(
      `unknown permission: ${unknown.join(', ')}; there are ${PERMISSIONS.join(', ')}`,
    );
  }
  return PERMISSIONS.filter((permission) => names.includes(permission));
}

function methods(text: string): OptInMethod[] {
  if (text === 'none') return [];
  const names = split(text).map((name) => name.toUpperCase());
  const unknown = names.filter((name) => !OPT_IN_METHODS.some((known) => known === name));
  if (unknown.length > 0) {
    throw new UsageError(
      `not a method to enable: ${unknown.join(', ')}; there are ${OPT_IN_METHODS.join(', ')}`,
    );
  }
  return OPT_IN_METHODS.filter((method) => names.includes(method));
}

function expiry(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new UsageError('--expires-at must be an ISO 8601 time');
  if (date <= now) throw new UsageError('--expires-at is in the past');
  return date;
}

function limit(text: string | undefined): number | null {
  if (text === undefined || text === 'default') return null;
  const requests = Number(text);
  if (!Number.isInteger(requests) || requests < 1)
    throw new UsageError('--limit must be a positive integer');
  return requests;
}

function origins(text: string): string[] | null {
  if (text === 'any') return null;
  return split(text).map((item) => {
    const origin = URL.canParse(item) ? new URL(item).origin : 'null';
    if (origin === 'null') throw new UsageError(`--origins must be origins, got ${item}`);
    return origin;
  });
}

const COMMANDS: Record<string, (flags: Flags, now: Date) => OperatorCommand> = {
  'organisations create': (flags) => ({
    name: 'organisations create',
    organisation: requiredFlag(flags, 'name'),
  }),
  'organisations list': () => ({ name: 'organisations list' }),
  'organisations restrict': (flags) => ({
    name: 'organisations restrict',
    organisationId: uuidFlag(flags, 'organisation'),
    origins: origins(requiredFlag(flags, 'origins')),
  }),
  'keys create': (flags, now) => ({
    name: 'keys create',
    organisationId: uuidFlag(flags, 'organisation'),
    label: requiredFlag(flags, 'label'),
    permissions: permissions(flags.permissions),
    methods: methods(flags.methods ?? 'none'),
    expiresAt: expiry(flags['expires-at'], now),
    rateLimit: limit(flags.limit),
  }),
  'keys list': (flags) => ({
    name: 'keys list',
    organisationId: flags.organisation === undefined ? null : uuidFlag(flags, 'organisation'),
  }),
  'keys limit': (flags) => ({
    name: 'keys limit',
    keySetId: uuidFlag(flags, 'key-set'),
    rateLimit: limit(requiredFlag(flags, 'limit')),
  }),
  'keys methods': (flags) => ({
    name: 'keys methods',
    keySetId: uuidFlag(flags, 'key-set'),
    methods: methods(requiredFlag(flags, 'methods')),
  }),
  'keys revoke': (flags) => ({ name: 'keys revoke', id: uuidFlag(flags, 'id') }),
};

/** @throws UsageError */
export function parseOperatorCommand(argv: readonly string[], now: Date): OperatorCommand {
  const { values, positionals } = parseArguments(argv, OPTIONS);
  const parse = COMMANDS[positionals.join(' ')];
  if (parse === undefined) throw new UsageError(`unknown command: ${positionals.join(' ')}`);
  return parse(values, now);
}
