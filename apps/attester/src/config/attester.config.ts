import { parseChainsConfig } from '@bascule/chain';
import type { ChainsConfig } from '@bascule/chain';
import { serverEnv } from '@bascule/service-host';
import type { HttpConfig } from '@bascule/service-host';
import { collectProblems, freezeConfig, integer, parseConfig } from '@bascule/process';
import { signerLocation, signersEnv } from '@bascule/signers';
import type { SignersConfig } from '@bascule/signers';

export interface AttesterConfig extends HttpConfig, SignersConfig {
  chains: ChainsConfig;
  /** Location of the key. */
  signer: string;
  /** Proxies that set `x-forwarded-for`. */
  trustedHops: number;
  /** Units of a client address in a minute. */
  clientUnits: number;
}

/** Injection token of the number of proxies. */
export const TRUSTED_HOPS = Symbol('TRUSTED_HOPS');

const env = {
  ...serverEnv,
  ...signersEnv,
  ATTESTER_PRIVATE_KEY: signerLocation({
    desc: "key that signs attestations, or its location; its address must be one of the oracle's attesters",
  }),
  TRUSTED_HOPS: integer({
    min: 0,
    default: 0,
    desc: 'number of proxies before the attester that set x-forwarded-for',
  }),
  RATE_LIMIT_CLIENT_REQUESTS: integer({
    min: 25,
    default: 3_000,
    desc: 'units per client address and minute',
  }),
};

/** @throws ConfigurationError with every problem of the environment */
export function parseAttesterConfig(environment: NodeJS.ProcessEnv): AttesterConfig {
  const { parsed, chains } = collectProblems({
    parsed: () => parseConfig(environment, env),
    chains: () => parseChainsConfig(environment),
  });
  return freezeConfig(parsed, {
    ...parsed,
    chains,
    signer: parsed.ATTESTER_PRIVATE_KEY,
    trustedHops: parsed.TRUSTED_HOPS,
    clientUnits: parsed.RATE_LIMIT_CLIENT_REQUESTS,
  });
}
