import type { EventEnvelope } from '@bascule/contracts';

const textAt = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[field]
    : undefined;

/**
 * Group in which an event's failure counts: its organisation, in its state or in the payment of that. Topics without
 * organisations are written by the deployment alone, so each of their keys counts by itself.
 */
export function failureGroup({ subject, data }: EventEnvelope): string {
  const organisation = textAt(data, 'org_id') ?? textAt(textAt(data, 'payment'), 'org_id');
  return typeof organisation === 'string' ? `organisation ${organisation}` : `key ${subject}`;
}
