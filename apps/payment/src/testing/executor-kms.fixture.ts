import { developmentAccounts, freePort } from '@bascule/local-stack';
import { startStandInKms, type StandInKms } from '@bascule/signers/testing';

const [, , operator] = developmentAccounts;

/** Starts a key service that holds the executor's key; the environment has a service sign by it. */
export async function startExecutorKms(): Promise<{
  kms: StandInKms;
  environment: Record<string, string>;
}> {
  const kms = await startStandInKms({ privateKey: operator.privateKey, port: await freePort() });
  const environment = { ...kms.environment, EXECUTOR_PRIVATE_KEY: kms.locations['aws-kms'] };
  return { kms, environment };
}
