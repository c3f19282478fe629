import { diag, DiagLogLevel, type Tracer } from '@opentelemetry/api';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  TracerProvider,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import { settlesWithin } from '../with-timeout.js';
import type { Logger } from '../logger.js';
import type { Recorder } from './recorder.js';
import { samplerOf } from './sampler.js';
import type { TracedService } from './traced-service.js';
import type { TracingConfig } from './tracing-config.js';

/** A collector that is away must not hold up the end of a process. */
const LAST_EXPORT_MS = 2_000;
const COMPLAINT_INTERVAL_MS = 60_000;

/** The SDK: only loaded where spans are exported. */
export class OtlpRecorder implements Recorder {
  private readonly tracers = new Map<string, Tracer>();

  private constructor(
    private readonly processor: SpanProcessor,
    private readonly config: TracingConfig,
  ) {}

  static async create(
    endpoint: string,
    config: TracingConfig,
    logger: Logger,
  ): Promise<OtlpRecorder> {
    diag.setLogger(complaints(logger), {
      logLevel: DiagLogLevel.WARN,
      suppressOverrideMessage: true,
    });
    const exporter = await exporterTo(endpoint, config.OTEL_EXPORTER_OTLP_PROTOCOL);
    const processor = new BatchSpanProcessor({
      exporter,
      scheduledDelayMillis: config.OTEL_BSP_SCHEDULE_DELAY,
      maxQueueSize: config.OTEL_BSP_MAX_QUEUE_SIZE,
    });
    return new OtlpRecorder(processor, config);
  }

  /** Each service is a resource of its own, also where several share the process. */
  add(service: string, shownAs: string, { instanceId, environment }: TracedService): void {
    const own = resourceFromAttributes({
      'service.name': shownAs,
      'service.instance.id': instanceId,
      'deployment.environment.name': environment,
    });
    const provider = new TracerProvider({
      resource: detectResources({ detectors: [envDetector] }).merge(own),
      sampler: samplerOf(this.config),
      spanProcessors: [this.processor],
    });
    this.tracers.set(service, provider.getTracer('bascule'));
  }

  tracerOf(service: string): Tracer | undefined {
    return this.tracers.get(service);
  }

  async flush(): Promise<void> {
    // What could not be exported was said by the exporter itself.
    await settlesWithin(LAST_EXPORT_MS, this.processor.forceFlush());
  }

  async stop(): Promise<void> {
    await settlesWithin(LAST_EXPORT_MS, this.processor.shutdown());
  }
}

async function exporterTo(endpoint: string, protocol: string): Promise<SpanExporter> {
  const url = `${endpoint.replace(/\/$/, '')}/v1/traces`;
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter({ url });
}

/** Logs messages of the SDK once a minute: an unavailable collector causes one per batch. */
function complaints(logger: Logger) {
  let silentUntil = 0;
  const complain = (reason: string): void => {
    if (Date.now() < silentUntil) return;
    silentUntil = Date.now() + COMPLAINT_INTERVAL_MS;
    logger.warn({ reason }, 'tracing has trouble');
  };
  const ignore = (): void => undefined;
  return { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore };
}
