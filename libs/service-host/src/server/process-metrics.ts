import { Registry, collectDefaultMetrics } from 'prom-client';

let processRegistry: Registry | undefined;

/** Metrics of the process, collected once and included by each service that shares it. */
export function metricsOfProcess(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}
