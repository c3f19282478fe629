import { OperatorError } from '@bascule/operator-commands';
import { makeValidator, parseConfig } from '@bascule/process';
import { deploymentsOf, type Deployment, type DeploymentSettings } from '@bascule/solidity';
import { isAddress, type Address } from 'viem';

/** Expected state of a deployment: what was deployed, what services use, and who holds which key now. */
export interface Expectations {
  settings: DeploymentSettings;
  deployments: readonly Deployment[];
  owner: Address;
  operators: readonly Address[];
  /** Owners of the multisig; any where undefined. */
  signers?: readonly Address[] | undefined;
}

function asAddress(input: string): Address {
  if (!isAddress(input)) throw new Error('expected an address');
  return input;
}

const address = makeValidator<Address>(asAddress);
const addresses = makeValidator<readonly Address[]>((input) =>
  input.split(',').map((part) => asAddress(part.trim())),
);

const expectedEnv = {
  EXPECTED_OWNER: address({ default: undefined, desc: 'owner of the executor contract' }),
  EXPECTED_OPERATORS: addresses({ default: undefined, desc: 'its operators, after a rotation' }),
  EXPECTED_SIGNERS: addresses({ default: undefined, desc: 'owners of the multisig' }),
};

/**
 * Reads the settings with which the contracts were deployed, and `EXPECTED_…` where holders have changed since.
 *
 * @throws OperatorError or ConfigurationError that names what is missing or not valid
 */
export function readExpectations(
  env: NodeJS.ProcessEnv,
  settings: DeploymentSettings,
): Expectations {
  const { executor } = settings;
  if (!executor) throw new OperatorError('settings: the executor is missing');
  const expected = parseConfig(env, expectedEnv);
  return {
    settings,
    deployments: deploymentsIn(settings),
    owner: expected.EXPECTED_OWNER ?? executor.owner,
    operators: expected.EXPECTED_OPERATORS ?? executor.operators,
    signers: expected.EXPECTED_SIGNERS,
  };
}

function deploymentsIn(settings: DeploymentSettings): readonly Deployment[] {
  try {
    return deploymentsOf(settings);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'not those of a deployment';
    throw new OperatorError(message, { cause: error });
  }
}
