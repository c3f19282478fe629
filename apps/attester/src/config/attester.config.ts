import { parseChainsConfig } from '@bascule/chain';
import type { ChainsConfig } from '@bascule/chain';
import { serverEnv } from '@bascule/service-host';
import type { HttpConfig } from '@bascule/service-host';
import {
  collectProblems,
  makeValidator,
  parseConfig,
  freezeConfig,
  sensitive,
} from '@bascule/process';
import type { Hex } from 'viem';

export interface AttesterConfig extends HttpConfig {
  chains: ChainsConfig;
  privateKey: Hex;
}

const env = {
  ...serverEnv,
  ATTESTER_PRIVATE_KEY: sensitive(
    makeValidator<Hex>((input) => {
      if (!/^0x[0-9a-fA-F]{64}$/.test(input)) throw new Error('expected 32 bytes of hex');
      return input as Hex;
    })({ desc: "signs attestations; its address must be one of the oracle's attesters" }),
  ),
};

/** @throws ConfigurationError with every problem of the environment */
export function parseAttesterConfig(environment: NodeJS.ProcessEnv): AttesterConfig {
  const { parsed, chains } = collectProblems({
    parsed: () => parseConfig(environment, env),
    chains: () => parseChainsConfig(environment),
  });
  return freezeConfig(parsed, { ...parsed, chains, privateKey: parsed.ATTESTER_PRIVATE_KEY });
}
