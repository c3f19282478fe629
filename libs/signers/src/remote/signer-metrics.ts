import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { SignerRefusedError, SignerRequest, SignerUnavailableError } from '../signer-error.js';

export type RequestOutcome = 'ok' | SignerUnavailableError['reason'] | SignerRefusedError['reason'];

const BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10];

type Observe = (request: SignerRequest, outcome: RequestOutcome, seconds: number) => void;

const observers = new WeakMap<Registry, Observe>();

/** Metrics of all signers of one service. */
export function signerMetrics(registry: Registry): Observe {
  const observe = observers.get(registry) ?? register(registry);
  observers.set(registry, observe);
  return observe;
}

const unopened = new WeakMap<Registry, Gauge<'provider' | 'signer'>>();

/** Gauge of the keys that the service works without. */
export function unopenedSigners(registry: Registry): Gauge<'provider' | 'signer'> {
  const known =
    unopened.get(registry) ??
    new Gauge({
      name: 'signer_unopened',
      help: '1 while a key that could not be opened at start is not opened yet.',
      labelNames: ['provider', 'signer'] as const,
      registers: [registry],
    });
  unopened.set(registry, known);
  return known;
}

function register(registry: Registry): Observe {
  const requests = new Counter({
    name: 'signer_requests_total',
    help: 'Requests to key management services; every attempt counts.',
    labelNames: ['provider', 'operation', 'outcome'] as const,
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'signer_request_duration_seconds',
    help: 'Duration of requests to key management services.',
    labelNames: ['provider', 'operation'] as const,
    buckets: BUCKETS_S,
    registers: [registry],
  });
  return ({ provider, operation }, outcome, seconds) => {
    requests.inc({ provider, operation, outcome });
    duration.observe({ provider, operation }, seconds);
  };
}
