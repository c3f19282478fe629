import { OPT_IN_METHODS, PERMISSIONS } from '@bascule/contracts';
import type { KeyMode, OptInMethod, Permission } from '@bascule/contracts';
import {
  parseArguments,
  requiredFlag,
  textFlags,
  UsageError,
  uuidArgument,
} from '@bascule/operator-commands';
import type { AuditQuery } from '../persistence/audit-query.js';
import { browserOrigin } from './browser-origin.js';
import type { KeySetLimits } from './key-set-limits.js';

export type OperatorCommand =
  | { name: 'organisations create'; organisation: string }
  | { name: 'organisations list' }
  | { name: 'organisations restrict'; organisationId: string; origins: string[] | null }
  | { name: 'organisations limit'; organisationId: string; rateLimit: number | null }
  | {
      name: 'keys create';
      organisationId: string;
      mode: KeyMode;
      label: string;
      permissions: Permission[];
      methods: OptInMethod[];
      expiresAt: Date | null;
      rateLimit: number | null;
      clientRateLimit: number | null;
    }
  | { name: 'keys list'; organisationId: string | null }
  | { name: 'keys limit'; keySetId: string; limits: KeySetLimits }
  | { name: 'keys methods'; keySetId: string; methods: OptInMethod[] }
  | { name: 'keys rotate'; id: string; retiresAt: Date; expiresAt: Date | null }
  | { name: 'keys revoke'; id: string }
  | { name: 'audit list'; query: AuditQuery };

const OPTIONS = textFlags(
  'name',
  'organisation',
  'origins',
  'label',
  'permissions',
  'methods',
  'expires-at',
  'limit',
  'client-limit',
  'key-set',
  'id',
  'retire-at',
  'subject',
  'before',
);
type Flag = keyof typeof OPTIONS;
type Flags = Partial<Record<Flag, string>> & { test?: boolean };

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

function futureTime(flag: Flag, text: string, now: Date): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new UsageError(`--${flag} must be an ISO 8601 time`);
  if (date <= now) throw new UsageError(`--${flag} is in the past`);
  return date;
}

const expiry = (text: string | undefined, now: Date): Date | null =>
  text === undefined ? null : futureTime('expires-at', text, now);

/** Largest integer of the database's type. */
const MAX_INTEGER = 2_147_483_647;

function positive(flags: Flags, flag: Flag): number {
  const number = Number(flags[flag]);
  if (!Number.isInteger(number) || number < 1 || number > MAX_INTEGER)
    throw new UsageError(`--${flag} must be a positive integer`);
  return number;
}

const limit = (flags: Flags, flag: 'limit' | 'client-limit'): number | null =>
  flags[flag] === undefined || flags[flag] === 'default' ? null : positive(flags, flag);

function keySetLimits(flags: Flags): KeySetLimits {
  const limits: KeySetLimits = {
    ...(flags.limit !== undefined && { rateLimit: limit(flags, 'limit') }),
    ...(flags['client-limit'] !== undefined && { clientRateLimit: limit(flags, 'client-limit') }),
  };
  if (Object.keys(limits).length === 0)
    throw new UsageError('--limit or --client-limit is missing');
  return limits;
}

/** Overlap of a rotated key with its successor, unless an operator sets it. */
const RETIRES_AFTER_MS = 24 * 60 * 60 * 1_000;

function retirement(text: string | undefined, now: Date): Date {
  if (text === undefined) return new Date(now.getTime() + RETIRES_AFTER_MS);
  return text === 'now' ? now : futureTime('retire-at', text, now);
}

/** Entries that one `audit list` prints at most. */
const MAX_AUDIT_ENTRIES = 1_000;
const AUDIT_ENTRIES = 50;

function auditQuery(flags: Flags): AuditQuery {
  const id = (flag: Flag) => (flags[flag] === undefined ? null : uuidFlag(flags, flag));
  const asked = flags.limit === undefined ? AUDIT_ENTRIES : positive(flags, 'limit');
  return {
    organisationId: id('organisation'),
    subjectId: id('subject'),
    before: id('before'),
    limit: Math.min(asked, MAX_AUDIT_ENTRIES),
  };
}

function origins(text: string): string[] | null {
  if (text === 'any') return null;
  return split(text).map((item) => {
    const url = browserOrigin(item);
    if (url === null) {
      throw new UsageError(`--origins must be http(s)://host[:port],… or any, got ${item}`);
    }
    return url.origin;
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
  'organisations limit': (flags) => {
    requiredFlag(flags, 'limit');
    const organisationId = uuidFlag(flags, 'organisation');
    return { name: 'organisations limit', organisationId, rateLimit: limit(flags, 'limit') };
  },
  'keys create': (flags, now) => ({
    name: 'keys create',
    organisationId: uuidFlag(flags, 'organisation'),
    mode: flags.test === true ? 'test' : 'live',
    label: requiredFlag(flags, 'label'),
    permissions: permissions(flags.permissions),
    methods: methods(flags.methods ?? 'none'),
    expiresAt: expiry(flags['expires-at'], now),
    rateLimit: limit(flags, 'limit'),
    clientRateLimit: limit(flags, 'client-limit'),
  }),
  'keys list': (flags) => ({
    name: 'keys list',
    organisationId: flags.organisation === undefined ? null : uuidFlag(flags, 'organisation'),
  }),
  'keys limit': (flags) => ({
    name: 'keys limit',
    keySetId: uuidFlag(flags, 'key-set'),
    limits: keySetLimits(flags),
  }),
  'keys methods': (flags) => ({
    name: 'keys methods',
    keySetId: uuidFlag(flags, 'key-set'),
    methods: methods(requiredFlag(flags, 'methods')),
  }),
  'keys rotate': (flags, now) => ({
    name: 'keys rotate',
    id: uuidFlag(flags, 'id'),
    retiresAt: retirement(flags['retire-at'], now),
    expiresAt: expiry(flags['expires-at'], now),
  }),
  'keys revoke': (flags) => ({ name: 'keys revoke', id: uuidFlag(flags, 'id') }),
  'audit list': (flags) => ({ name: 'audit list', query: auditQuery(flags) }),
};

/** @throws UsageError */
export function parseOperatorCommand(argv: readonly string[], now: Date): OperatorCommand {
  const { values, positionals } = parseArguments(argv, { ...OPTIONS, test: { type: 'boolean' } });
  const parse = COMMANDS[positionals.join(' ')];
  if (parse === undefined) throw new UsageError(`unknown command: ${positionals.join(' ')}`);
  return parse(values, now);
}
