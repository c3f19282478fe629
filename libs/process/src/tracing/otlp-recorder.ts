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

/** Limits the wait for an unavailable collector at the end of a process. */
const FINAL_EXPORT_TIMEOUT_MS = 2_000;
const WARNING_INTERVAL_MS = 60_000;

/** Records spans with the SDK, which is loaded only when spans are exported. */
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
    diag.setLogger(rateLimitedDiagnostics(logger), {
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

  /** Adds a service as its own resource, also if several share the process. */
  add(service: string, displayName: string, { instanceId, environment }: TracedService): void {
    const own = resourceFromAttributes({
      'service.name': displayName,
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
    // The exporter itself has logged the failure.
    await settlesWithin(FINAL_EXPORT_TIMEOUT_MS, this.processor.forceFlush());
  }

  async stop(): Promise<void> {
    await settlesWithin(FINAL_EXPORT_TIMEOUT_MS, this.processor.shutdown());
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
function rateLimitedDiagnostics(logger: Logger) {
  let mutedUntil = 0;
  const warn = (reason: string): void => {
    if (Date.now() < mutedUntil) return;
    mutedUntil = Date.now() + WARNING_INTERVAL_MS;
    logger.warn({ reason }, 'tracing exporter warning');
  };
  const ignore = (): void => undefined;
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
}
