import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { continued, inService, serviceOf } from './active-trace.js';
import { isRecording, tracerOf } from './recorder.js';

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

export type RecordedSpan = Pick<Span, 'setAttribute'>;

/** Attributes follow the semantic conventions of OpenTelemetry and contain no secret. */
export interface SpanDescription {
  name: string;
  attributes: Attributes;
  kind?: keyof typeof KINDS;
}

/** Entry of a service into a trace, and the source of that trace. */
export interface EntryDescription extends SpanDescription {
  service: string;
  traceparent: string | undefined;
  tracestate?: string | undefined;
}

/** Span that outlives a single call, and its trace. */
export class TraceScope {
  constructor(
    private readonly place: Context,
    private readonly span: Span | undefined,
  ) {}

  run<T>(fn: () => T): T {
    return context.with(this.place, fn);
  }

  get isRecorded(): boolean {
    return this.span !== undefined;
  }

  end(outcome: { name?: string; attributes?: Attributes; isFailure?: boolean }): void {
    if (this.span === undefined) return;
    if (outcome.name !== undefined) this.span.updateName(outcome.name);
    if (outcome.attributes !== undefined) this.span.setAttributes(outcome.attributes);
    if (outcome.isFailure === true) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

export function enterTrace(entry: EntryDescription): TraceScope {
  const place = continued(entry.traceparent, entry.tracestate);
  if (!isRecording()) return new TraceScope(place, undefined);
  const ofService = inService(place, entry.service);
  const span = start(entry, ofService);
  return new TraceScope(span ? trace.setSpan(ofService, span) : ofService, span);
}

/** Runs `fn` as a service's part of the trace that `traceparent` names; an invalid or missing one starts a new trace. */
export function continueTrace<T>(
  entry: EntryDescription,
  fn: (span: RecordedSpan | undefined) => Promise<T>,
): Promise<T> {
  const place = continued(entry.traceparent, entry.tracestate);
  if (!isRecording()) return context.with(place, () => fn(undefined));
  return within(entry, inService(place, entry.service), fn);
}

/** Runs `fn` as a span of the current trace; without an exporter it is a plain call. */
export function withSpan<T>(
  name: string,
  attributes: Attributes,
  fn: (span: RecordedSpan | undefined) => Promise<T>,
  kind: keyof typeof KINDS = 'internal',
): Promise<T> {
  return isRecording() ? within({ name, attributes, kind }, context.active(), fn) : fn(undefined);
}

function start(description: SpanDescription, place: Context): Span | undefined {
  const service = serviceOf(place);
  if (service === undefined) return undefined;
  const { name, attributes, kind = 'internal' } = description;
  return tracerOf(service)?.startSpan(name, { attributes, kind: KINDS[kind] }, place);
}

async function within<T>(
  description: SpanDescription,
  place: Context,
  fn: (span: RecordedSpan | undefined) => Promise<T>,
): Promise<T> {
  const span = start(description, place);
  if (span === undefined) return context.with(place, () => fn(undefined));
  try {
    return await context.with(trace.setSpan(place, span), () => fn(span));
  } catch (error) {
    // Only the name: messages may contain URLs with keys and customer data.
    span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
