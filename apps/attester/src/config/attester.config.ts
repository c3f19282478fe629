import { parseChainsConfig } from '@bascule/chain';
import type { ChainsConfig } from '@bascule/chain';
import { serverEnv } from '@bascule/service-host';
import type { HttpConfig } from '@bascule/service-host';
import { collectProblems, parseConfig, freezeConfig } from '@bascule/process';
import { signerLocation, signersEnv } from '@bascule/signers';
import type { SignersConfig } from '@bascule/signers';

export interface AttesterConfig extends HttpConfig, SignersConfig {
  chains: ChainsConfig;
  /** Location of the key. */
  signer: string;
}

const env = {
  ...serverEnv,
  ...signersEnv,
  ATTESTER_PRIVATE_KEY: signerLocation({
    desc: "key that signs attestations, or its location; its address must be one of the oracle's attesters",
  }),
};

/** @throws ConfigurationError with every problem of the environment */
export function parseAttesterConfig(environment: NodeJS.ProcessEnv): AttesterConfig {
  const { parsed, chains } = collectProblems({
    parsed: () => parseConfig(environment, env),
    chains: () => parseChainsConfig(environment),
  });
  return freezeConfig(parsed, { ...parsed, chains, signer: parsed.ATTESTER_PRIVATE_KEY });
}
