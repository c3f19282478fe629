import { identifier, literal } from './identifiers.js';

export interface Timeouts {
  statementMs: number;
  lockMs: number;
  idleInTransactionMs: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  statementMs: 15_000,
  lockMs: 5_000,
  idleInTransactionMs: 15_000,
};

/** Values of the five settings of every session, by their names in Postgres. */
export type SessionSettings = Readonly<Record<string, string>>;

export function sessionSettings(
  schema: string,
  timeouts: Timeouts = DEFAULT_TIMEOUTS,
): SessionSettings {
  return {
    search_path: identifier(schema).slice(1, -1),
    timezone: 'UTC',
    statement_timeout: String(timeouts.statementMs),
    lock_timeout: String(timeouts.lockMs),
    idle_in_transaction_session_timeout: String(timeouts.idleInTransactionMs),
  };
}

/** Settings of one session, as Postgres's connection parameter `options`, which transaction poolers refuse. */
export const startupOptions = (settings: SessionSettings): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** SQL that makes settings the defaults of a role in a database; a role may set its own. */
export const roleStatements = (
  settings: SessionSettings,
  { role, database }: { role: string; database: string },
): string[] =>
  Object.entries(settings).map(
    ([name, value]) =>
      `ALTER ROLE ${quoted(role)} IN DATABASE ${quoted(database)} SET ${name} = ${literal(value)}`,
  );

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

type Query = (text: string, values: unknown[]) => Promise<unknown[]>;

/** Describes what differs in a session from the expected settings, and the SQL that corrects it; null without one. */
export async function settingsProblem(
  query: Query,
  expected: SessionSettings,
): Promise<string | null> {
  const names = Object.keys(expected);
  const rows = (await query(
    `SELECT current_user AS role, current_database() AS database,
            jsonb_object_agg(lower(name), setting) AS found
     FROM pg_settings WHERE lower(name) = ANY ($1)`,
    [names],
  )) as { role: string; database: string; found: Record<string, string> }[];
  const [session] = rows;
  if (session === undefined) return 'no session settings could be read';
  const wrong = Object.entries(expected).filter(([name, value]) => session.found[name] !== value);
  if (wrong.length === 0) return null;
  const found = wrong.map(([name, value]) => `${name} is ${session.found[name]}, not ${value}`);
  const statements = roleStatements(Object.fromEntries(wrong), session);
  return `session settings: ${found.join(', ')}. Run: ${statements.join('; ')}; then RECONNECT in PgBouncer`;
}
