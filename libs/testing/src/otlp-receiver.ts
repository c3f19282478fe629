import { startCapturingServer, type CapturingServer } from './capturing-server.js';

export interface ReceivedSpan {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  isFailure: boolean;
  attributes: Record<string, unknown>;
}

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

/** https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
interface ExportRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        name: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        kind: number;
        status?: { code?: number };
        attributes?: Attribute[];
      }[];
    }[];
  }[];
}

const STATUS_ERROR = 2;

/** A collector of OTLP over HTTP that decodes JSON bodies. */
export class OtlpReceiver {
  private constructor(private readonly server: CapturingServer) {}

  static async listen(): Promise<OtlpReceiver> {
    return new OtlpReceiver(await startCapturingServer(() => ({ body: '{}' })));
  }

  get url(): string {
    return this.server.url;
  }

  /** Path and content type of each request. */
  get asked(): { path: string; type: string | undefined }[] {
    return this.server.requests.map(({ path, headers }) => ({
      path,
      type: headers['content-type'],
    }));
  }

  get spans(): ReceivedSpan[] {
    return this.server.requests.flatMap(({ body }) => spansOf(body.toString()));
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

function spansOf(text: string): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(text) as ExportRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({
        service: String(valuesOf(resource.attributes)['service.name']),
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId,
        kind: span.kind,
        isFailure: span.status?.code === STATUS_ERROR,
        attributes: valuesOf(span.attributes ?? []),
      })),
    ),
  );
}

const valuesOf = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
