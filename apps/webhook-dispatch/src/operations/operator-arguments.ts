import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from '@bascule/contracts';
import {
  oneOf,
  parseArguments,
  requiredFlag,
  textFlags,
  UsageError,
  uuidArgument,
} from '@bascule/operator-commands';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../rules/delivery-status.js';

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

const DEFAULT_LIMIT = '25';
const OPTIONS = textFlags(
  'organisation',
  'label',
  'status',
  'since',
  'limit',
  'pagination-key',
  'event-type',
);

type Values = Partial<Record<keyof typeof OPTIONS, string>>;

const MAX_LISTED = 1_000;

/** @throws UsageError */
export function parseOperatorArguments(args: readonly string[]): OperatorCommand {
  const { values, name, id } = split(args);
  if (name === 'rotate-keys') return { name };
  const read = READERS[name];
  if (read === undefined) throw new UsageError(`unknown command: ${name}`);
  return read(requiredFlag(values, 'organisation'), values, id);
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
    since: time(requiredFlag(values, 'since')),
    ...labelOf(values),
  }),
  test: (orgId, values) => ({
    name: 'test',
    orgId,
    label: requiredFlag(values, 'label'),
    ...chosen('event_type', values['event-type'], WEBHOOK_EVENT_TYPES),
  }),
  deliveries: (orgId, values) => ({
    name: 'deliveries',
    orgId,
    limit: limit(values.limit ?? DEFAULT_LIMIT),
    ...labelOf(values),
    ...chosen('status', values.status, DELIVERY_STATUSES),
    ...(values['pagination-key'] !== undefined && { pagination_key: values['pagination-key'] }),
  }),
};

function split(args: readonly string[]): { values: Values; name: string; id: string | undefined } {
  const { values, positionals } = parseArguments(args, OPTIONS);
  const [name = '', id, ...more] = positionals;
  if (more.length > 0) throw new UsageError(`too many arguments: ${more.join(' ')}`);
  return { values, name, id };
}

const labelOf = ({ label }: Values): { label?: string } => (label === undefined ? {} : { label });

const deliveryId = (text: string | undefined): string =>
  uuidArgument(text, 'the id of the delivery is missing');

function time(text: string): string {
  if (Number.isNaN(Date.parse(text))) throw new UsageError(`invalid time: ${text}`);
  return text;
}

function limit(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > MAX_LISTED) {
    throw new UsageError(`--limit must be a number from 1 to ${MAX_LISTED}`);
  }
  return value;
}

function chosen<K extends string, T extends string>(
  name: K,
  text: string | undefined,
  choices: readonly T[],
): Partial<Record<K, T>> {
  if (text === undefined) return {};
  const result: Partial<Record<K, T>> = {};
  result[name] = oneOf(text, choices);
  return result;
}
