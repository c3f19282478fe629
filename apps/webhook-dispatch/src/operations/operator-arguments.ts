import { parseArgs } from 'node:util';
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@bascule/contracts';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../persistence/delivery-status.js';

export type OperatorCommand =
  | { name: 'rotate-keys' }
  | { name: 'list'; orgId: string }
  | { name: 'show' | 'resend'; orgId: string; id: string }
  | { name: 'resend-failed'; orgId: string; since: string; label?: string }
  | { name: 'test'; orgId: string; label: string; event_type?: WebhookEventType }
  | {
      name: 'deliveries';
      orgId: string;
      label?: string;
      status?: DeliveryStatus;
      limit: number;
      pagination_key?: string;
    };

export class UsageError extends Error {}

const OPTIONS = {
  organisation: { type: 'string' },
  label: { type: 'string' },
  status: { type: 'string' },
  since: { type: 'string' },
  limit: { type: 'string', default: '25' },
  'pagination-key': { type: 'string' },
  'event-type': { type: 'string' },
} as const;

type Values = Partial<Record<keyof typeof OPTIONS, string>>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MOST_LISTED = 1_000;

/** @throws UsageError */
export function parseOperatorArguments(args: readonly string[]): OperatorCommand {
  const { values, name, id } = split(args);
  if (name === 'rotate-keys') return { name };
  const read = READERS[name];
  if (read === undefined) throw new UsageError(`${name}: there is no such command`);
  return read(required(values, 'organisation'), values, id);
}

const READERS: Record<
  string,
  ((orgId: string, values: Values, id: string | undefined) => OperatorCommand) | undefined
> = {
  list: (orgId) => ({ name: 'list', orgId }),
  show: (orgId, _, id) => ({ name: 'show', orgId, id: deliveryId(id) }),
  resend: (orgId, _, id) => ({ name: 'resend', orgId, id: deliveryId(id) }),
  'resend-failed': (orgId, values) => ({
    name: 'resend-failed',
    orgId,
    since: time(required(values, 'since')),
    ...labelOf(values),
  }),
  test: (orgId, values) => ({
    name: 'test',
    orgId,
    label: required(values, 'label'),
    ...chosen('event_type', values['event-type'], WEBHOOK_EVENT_TYPES),
  }),
  deliveries: (orgId, values) => ({
    name: 'deliveries',
    orgId,
    limit: limit(values.limit ?? ''),
    ...labelOf(values),
    ...chosen('status', values.status, DELIVERY_STATUSES),
    ...(values['pagination-key'] !== undefined && { pagination_key: values['pagination-key'] }),
  }),
};

function split(args: readonly string[]): { values: Values; name: string; id: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: true,
    });
    const [name = 'nothing', id, ...more] = positionals;
    if (more.length > 0) throw new UsageError(`too much: ${more.join(' ')}`);
    return { values, name, id };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(String(error));
  }
}

function required(values: Values, name: keyof Values): string {
  const value = values[name];
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing`);
  return value;
}

const labelOf = ({ label }: Values): { label?: string } => (label === undefined ? {} : { label });

function deliveryId(text: string | undefined): string {
  if (text === undefined || !UUID.test(text)) throw new UsageError('which delivery?');
  return text;
}

function time(text: string): string {
  if (Number.isNaN(Date.parse(text))) throw new UsageError(`not a time: ${text}`);
  return text;
}

function limit(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > MOST_LISTED) {
    throw new UsageError(`--limit is from 1 to ${MOST_LISTED}`);
  }
  return value;
}

function chosen<K extends string, T extends string>(
  name: K,
  text: string | undefined,
  choices: readonly T[],
): Partial<Record<K, T>> {
  if (text === undefined) return {};
  const choice = choices.find((each) => each === text);
  if (choice === undefined) throw new UsageError(`${text} is none of ${choices.join(', ')}`);
  const result: Partial<Record<K, T>> = {};
  result[name] = choice;
  return result;
}
