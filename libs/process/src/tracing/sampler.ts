import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from './tracing-config.js';

const PARENT_BASED = 'parentbased_';

/** Maps sampler names of OpenTelemetry to samplers. */
export function samplerOf(
  config: Pick<TracingConfig, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>,
): Sampler {
  const { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio } = config;
  const root = rootSampler(name.replace(PARENT_BASED, ''), ratio);
  return name.startsWith(PARENT_BASED) ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}
