import type { ProviderAdapterName } from '../adapters.js';

export type ContractSuites<Adapter extends string> = Record<Adapter, `${string}.int-spec.ts`>;

/** Test file that runs the contract suite against each adapter; an adapter without one does not compile. */
export const CONTRACT_SUITES = {
  sandbox: 'apps/sandbox-provider/src/sandbox-provider.int-spec.ts',
  moonpay: 'libs/providers/src/moonpay/moonpay.int-spec.ts',
  stripe: 'libs/providers/src/stripe/stripe.int-spec.ts',
  coinbase: 'libs/providers/src/coinbase/coinbase.int-spec.ts',
  transak: 'libs/providers/src/transak/transak.int-spec.ts',
} satisfies ContractSuites<ProviderAdapterName>;
