import { parseArgs } from 'node:util';
import { PERMISSIONS } from '@bascule/contracts';
import type { Permission } from '@bascule/contracts';
import { UsageError } from './operator-error.js';

export type OperatorCommand =
  | { name: 'organisations create'; organisation: string }
  | { name: 'organisations list' }
  | { name: 'organisations restrict'; organisationId: string; origins: string[] | null }
  | {
      name: 'keys create';
      organisationId: string;
      label: string;
      permissions: Permission[];
      expiresAt: Date | null;
      rateLimit: number | null;
    }
  | { name: 'keys list'; organisationId: string | null }
  | { name: 'keys limit'; keySetId: string; rateLimit: number | null }
  | { name: 'keys revoke'; id: string };

const FLAGS = [
  'name',
  'organisation',
  'origins',
  'label',
  'permissions',
  'expires-at',
  'limit',
  'key-set',
  'id',
] as const;
type Flag = (typeof FLAGS)[number];
type Flags = Partial<Record<Flag, string>>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function required(flags: Flags, flag: Flag): string {
  const value = flags[flag]?.trim();
  if (value === undefined || value === '') throw new UsageError(`--${flag} is missing`);
  return value;
}

function id(flags: Flags, flag: Flag): string {
  const value = required(flags, flag);
  if (!UUID.test(value)) throw new UsageError(`--${flag} is not an id`);
  return value;
}

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

function expiry(text: string | undefined, now: Date): Date | null {
  if (text === undefined) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new UsageError('--expires-at is not a time');
  if (date <= now) throw new UsageError('--expires-at is in the past');
  return date;
}

function limit(text: string | undefined): number | null {
  if (text === undefined || text === 'default') return null;
  const requests = Number(text);
  if (!Number.isInteger(requests) || requests < 1) throw new UsageError('--limit is no number');
  return requests;
}

function origins(text: string): string[] | null {
  if (text === 'any') return null;
  return split(text).map((item) => {
    const origin = URL.canParse(item) ? new URL(item).origin : 'null';
    if (origin === 'null') throw new UsageError(`not an origin: ${item}`);
    return origin;
  });
}

const COMMANDS: Record<string, (flags: Flags, now: Date) => OperatorCommand> = {
  'organisations create': (flags) => ({
    name: 'organisations create',
    organisation: required(flags, 'name'),
  }),
  'organisations list': () => ({ name: 'organisations list' }),
  'organisations restrict': (flags) => ({
    name: 'organisations restrict',
    organisationId: id(flags, 'organisation'),
    origins: origins(required(flags, 'origins')),
  }),
  'keys create': (flags, now) => ({
    name: 'keys create',
    organisationId: id(flags, 'organisation'),
    label: required(flags, 'label'),
    permissions: permissions(flags.permissions),
    expiresAt: expiry(flags['expires-at'], now),
    rateLimit: limit(flags.limit),
  }),
  'keys list': (flags) => ({
    name: 'keys list',
    organisationId: flags.organisation === undefined ? null : id(flags, 'organisation'),
  }),
  'keys limit': (flags) => ({
    name: 'keys limit',
    keySetId: id(flags, 'key-set'),
    rateLimit: limit(required(flags, 'limit')),
  }),
  'keys revoke': (flags) => ({ name: 'keys revoke', id: id(flags, 'id') }),
};

/** @throws UsageError that says what is wrong */
export function parseOperatorCommand(argv: string[], now: Date): OperatorCommand {
  const { values, positionals } = read(argv);
  const parse = COMMANDS[positionals.join(' ')];
  if (parse === undefined) throw new UsageError('no such command');
  return parse(values, now);
}

function read(argv: string[]): { values: Flags; positionals: string[] } {
  const options = Object.fromEntries(FLAGS.map((flag) => [flag, { type: 'string' as const }]));
  try {
    return parseArgs({ args: argv, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'unreadable', {
      cause: error,
    });
  }
}
