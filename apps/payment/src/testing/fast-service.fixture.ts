import type { ChainDefinition } from '@bascule/chain';
import type { PaymentConfig, PaymentTiming } from '../config/payment.config.js';
import { paymentService } from '../index.js';

/** Short intervals; the lease keeps its length, so that a busy machine does not lose it. */
const FAST: PaymentTiming = {
  scanLeaseMs: 6_000,
  standbyMs: 100,
  scanRetryMs: 100,
  scanPassMs: { min: 50, max: 100 },
  workerPollMs: 100,
  traceMs: 2_000,
  ratingsFlushMs: 100,
};

/** The payment service with short intervals. */
export const fastPaymentService = {
  ...paymentService,
  parseConfig: (env: NodeJS.ProcessEnv): PaymentConfig => ({
    ...paymentService.parseConfig(env),
    timing: FAST,
  }),
};

/** The same service, with changes to the definitions of its chains. */
export const withChains = (changes: Partial<ChainDefinition>) => ({
  ...fastPaymentService,
  parseConfig: (env: NodeJS.ProcessEnv): PaymentConfig => {
    const config = fastPaymentService.parseConfig(env);
    const chains = config.chains.chains.map((chain) => ({
      ...chain,
      definition: { ...chain.definition, ...changes },
    }));
    return { ...config, chains: { ...config.chains, chains } };
  },
});
