import { dataschemaOf, type EventEnvelope, type TopicDefinition } from '@bascule/contracts';
import { validate as isUuid } from 'uuid';

const MAX_REASON_LENGTH = 300;
/** Longest key that an index row of Postgres can hold. */
const MAX_KEY_BYTES = 1_024;
const MAX_AHEAD_MS = 24 * 60 * 60 * 1_000;

const storable = (reason: string): string =>
  reason.replaceAll('\u0000', '\ufffd').slice(0, MAX_REASON_LENGTH);

/** Poison message: no retry can handle it. */
export class UnacceptableRecordError extends Error {
  constructor(reason: string) {
    super(storable(reason));
    this.name = 'UnacceptableRecordError';
  }
}

/** Event of a schema version that this version of the service does not know. */
export class UnknownSchemaError extends UnacceptableRecordError {
  constructor(
    reason: string,
    readonly event: EventEnvelope,
  ) {
    super(reason);
    this.name = 'UnknownSchemaError';
  }
}

/** Event of an unknown type for an effect. A newer version, which retries it during an upgrade, may know it. */
export class UnknownEventTypeError extends Error {
  constructor(readonly event: EventEnvelope) {
    super(storable(`unknown event type "${event.type}"`));
    this.name = 'UnknownEventTypeError';
  }
}

export interface Expectation {
  environment: string;
  /** Declaration of the topic; undefined accepts any envelope. */
  topic: TopicDefinition | undefined;
  /** True for projections: within a schema version every event of a topic carries the state. */
  acceptsUnknownTypes?: boolean;
}

/** Whether the topic declares the event's type; true for undeclared topics. */
export const isKnownType = ({ type }: EventEnvelope, { topic }: Expectation): boolean =>
  topic?.schema.types.includes(type) ?? true;

/** @throws UnacceptableRecordError or UnknownEventTypeError, with a reason for the operator */
export function parseEnvelope(
  { key, value }: { key: string; value: Buffer },
  expected: Expectation,
): EventEnvelope {
  refuseTooLarge(key, value, expected.topic);
  const parsed = parseJson(value);
  if (!isEnvelope(parsed)) throw new UnacceptableRecordError('not an event envelope');
  if (parsed.environment !== expected.environment) {
    throw new UnacceptableRecordError(`belongs to the environment "${parsed.environment}"`);
  }
  refuseFuture(parsed.time);
  if (expected.topic !== undefined) refuseUnknownSchema(parsed, expected.topic);
  if (expected.acceptsUnknownTypes !== true && !isKnownType(parsed, expected)) {
    throw new UnknownEventTypeError(parsed);
  }
  return parsed;
}

function refuseTooLarge(key: string, value: Buffer, topic: TopicDefinition | undefined): void {
  const limit = topic?.maxMessageBytes ?? Infinity;
  if (value.byteLength > limit) {
    throw new UnacceptableRecordError(`${value.byteLength} bytes exceed the limit of ${limit}`);
  }
  if (Buffer.byteLength(key) > MAX_KEY_BYTES) {
    throw new UnacceptableRecordError(`key exceeds ${MAX_KEY_BYTES} bytes`);
  }
}

/** Rejects events from the future, for whose day the inbox would create a partition. */
function refuseFuture(time: string): void {
  if (Date.parse(time) > Date.now() + MAX_AHEAD_MS) {
    throw new UnacceptableRecordError(`event time ${time} is more than a day in the future`);
  }
}

function refuseUnknownSchema(event: EventEnvelope, topic: TopicDefinition): void {
  const { dataschema } = event;
  const known = dataschemaOf(topic);
  if (dataschema !== undefined && dataschema !== known) {
    throw new UnknownSchemaError(`unknown schema "${dataschema}", expected ${known}`, event);
  }
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
    ['undefined', 'string'].includes(typeof fields.dataschema) &&
    TEXT_FIELDS.every((field) => typeof fields[field] === 'string') &&
    typeof fields.data === 'object' &&
    fields.data !== null
  );
}
