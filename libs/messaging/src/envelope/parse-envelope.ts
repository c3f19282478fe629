import type { EventEnvelope } from '@bascule/contracts';
import { validate as isUuid } from 'uuid';

/** A record that can never be handled, whatever is retried. */
export class UnacceptableRecordError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnacceptableRecordError';
  }
}

export interface Expectation {
  environment: string;
  /** The types the topic has; undefined accepts any. */
  types: readonly string[] | undefined;
}

/** @throws UnacceptableRecordError with the reason, in words an operator can act on. */
export function parseEnvelope(value: Buffer, expected: Expectation): EventEnvelope {
  const parsed = parseJson(value);
  if (!isEnvelope(parsed)) throw new UnacceptableRecordError('not an event envelope');
  if (parsed.environment !== expected.environment) {
    throw new UnacceptableRecordError(`belongs to the environment "${parsed.environment}"`);
  }
  if (expected.types !== undefined && !expected.types.includes(parsed.type)) {
    throw new UnacceptableRecordError(`unknown event type "${parsed.type}"`);
  }
  return parsed;
}

function parseJson(value: Buffer): unknown {
  try {
    return JSON.parse(value.toString('utf8'));
  } catch {
    throw new UnacceptableRecordError('not JSON');
  }
}

const TEXT_FIELDS = ['source', 'type', 'subject', 'environment'] as const;

function isEnvelope(value: unknown): value is EventEnvelope {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  return (
    fields.specversion === '1.0' &&
    typeof fields.id === 'string' &&
    isUuid(fields.id) &&
    typeof fields.time === 'string' &&
    !Number.isNaN(Date.parse(fields.time)) &&
    TEXT_FIELDS.every((field) => typeof fields[field] === 'string') &&
    typeof fields.data === 'object' &&
    fields.data !== null
  );
}
