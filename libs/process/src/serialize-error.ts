import { pino } from 'pino';

/** Fields of query errors that repeat SQL, parameters, values or rows. */
const QUERY_FIELDS = ['query', 'parameters', 'detail', 'where', 'internalQuery'];

/** Serialises an error and its causes for the log, without the data of a failed query. */
export function serializeError(error: Error): unknown {
  const serialized: unknown = pino.stdSerializers.errWithCause(error);
  removeQueryData(serialized);
  return serialized;
}

/** Changes only what the serializer created; other objects belong to the error. */
const isSerialized = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && 'raw' in value && 'aggregateErrors' in value;

function removeQueryData(value: unknown): void {
  if (Array.isArray(value)) value.forEach(removeQueryData);
  if (!isSerialized(value)) return;
  for (const field of QUERY_FIELDS) Reflect.deleteProperty(value, field);
  Object.values(value).forEach(removeQueryData);
}
