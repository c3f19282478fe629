import { Registry, collectDefaultMetrics } from 'prom-client';

let processRegistry: Registry | undefined;

/** Metrics of the process itself: collected once, however many services share it, and shown by each. */
export function metricsOfProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}
