import { randomUUID } from 'node:crypto';
import {
  createTraceState,
  isSpanContextValid,
  TraceFlags,
  type SpanContext,
} from '@opentelemetry/api';

// https://www.w3.org/TR/trace-context/: version, trace id, parent id, flags; later versions may say more.
const TRACEPARENT = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Parses a `traceparent`; undefined if invalid, so that a new trace starts. An oversized `tracestate` is dropped. */
export function parseTraceparent(
  traceparent: string | undefined,
  tracestate?: string,
): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) {
    return undefined;
  }
  const parent: SpanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  };
  return isSpanContextValid(parent) ? parent : undefined;
}

export const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;

/** Trace that is not recorded, by its flags. */
export function newTrace(): SpanContext {
  // Sufficiently random, at a quarter of the cost of random bytes: Node caches UUID entropy.
  const traceId = randomUUID().replaceAll('-', '');
  const spanId = randomUUID().replaceAll('-', '').slice(16);
  return { traceId, spanId, traceFlags: TraceFlags.NONE };
}
