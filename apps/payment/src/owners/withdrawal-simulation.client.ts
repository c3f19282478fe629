import {
  attemptCalls,
  deploysOwnerIn,
  holdingsOverride,
  ownerSigner,
  secondedRefusal,
  TokenNotOverridableError,
  ZERO_ADDRESS,
} from '@bascule/chain';
import type { CallOutcome, Chain, ChainView, Holding } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import {
  canonicalSignature,
  oneTimeWalletAbi,
  serviceAuthorizationHash,
  withdrawalSteps,
} from '@bascule/solidity';
import type { Declaration, ServiceAuthorization } from '@bascule/solidity';
import { maxProofGas, readChain } from '@bascule/wallet-balances';
import { Injectable } from '@nestjs/common';
import { decodeErrorResult, isAddressEqual, size, slice } from 'viem';
import type { Address, Hex, StateOverride } from 'viem';
import { CHAIN_TIMEOUT_MS } from './chain-timeout.js';

/** Deadline of a simulation: two reads, by one node and then by all. */
const SIMULATION_TIMEOUT_MS = 4 * CHAIN_TIMEOUT_MS;

export interface SignedWithdrawal {
  declaration: Declaration;
  authorization: ServiceAuthorization;
  signature: Hex;
  /** Deposit that the wallet holds in the simulation. */
  deposit: Holding;
}

/** `signature`: not the owner's. `expired`: the chain's clock is past the nonce's expiry. */
export type SimulationOutcome = 'accepted' | 'signature' | 'expired' | 'refused';

/**
 * Simulates a signed withdrawal as its transaction would run, with a wallet that is deployed and funded, within the gas
 * that the service spends on one.
 */
@Injectable()
export class WithdrawalSimulationClient {
  constructor(private readonly context: ServiceContext) {}

  /**
   * Two of several nodes must not accept it.
   * @throws ServiceError 503 while the chain cannot be read
   */
  simulate(chain: Chain, signed: SignedWithdrawal): Promise<SimulationOutcome> {
    const outcome = secondedRefusal(
      chain,
      (view) => this.simulateBy(view, signed),
      (answer) => answer !== 'accepted',
    );
    return readChain(chain.name, SIMULATION_TIMEOUT_MS, outcome);
  }

  private async simulateBy(chain: ChainView, signed: SignedWithdrawal): Promise<SimulationOutcome> {
    const { declaration, authorization, deposit } = signed;
    const { owner } = declaration;
    const signature = canonicalSignature(signed.signature);
    const digest = serviceAuthorizationHash(authorization);
    const read = <T>(answer: Promise<T>) => readChain(chain.name, CHAIN_TIMEOUT_MS, answer);
    const [signer, isDeployment, stateOverride] = await read(
      Promise.all([
        ownerSigner(chain, { owner, digest, signature }),
        deploysOwnerIn(chain, owner, signature),
        this.funded(chain, deposit),
      ]),
    );
    if (signer === null) return 'signature';
    const isNative = deposit.token === ZERO_ADDRESS;
    const gas = maxProofGas({ isNative, deploysOwner: isDeployment });
    const steps = withdrawalSteps(declaration, authorization, signature, deposit.account);
    const outcomes = await read(attemptCalls(chain, steps, { gas, stateOverride }));
    const [deployment, withdrawal] = outcomes.slice(-2);
    // A call to an address without code succeeds.
    if (!deployment || !withdrawal || !hasDeployed(deployment, deposit.account)) return 'refused';
    if (withdrawal.success) return 'accepted';
    return isExpired(withdrawal.data) ? 'expired' : 'refused';
  }

  /** A withdrawal without actions succeeds with an empty wallet too. */
  private async funded(chain: ChainView, deposit: Holding): Promise<StateOverride> {
    try {
      return await holdingsOverride(chain, [deposit]);
    } catch (error) {
      if (!(error instanceof TokenNotOverridableError)) throw error;
      const { token } = error;
      this.context.logger.warn({ chain: chain.name, token }, 'withdrawal simulated without money');
      return [];
    }
  }
}

const hasDeployed = ({ success, data }: CallOutcome, wallet: Address): boolean =>
  success && size(data) === 32 && isAddressEqual(slice(data, 12), wallet);

function isExpired(data: Hex): boolean {
  try {
    const { errorName } = decodeErrorResult({ abi: oneTimeWalletAbi, data });
    return errorName === 'AuthorizationDead';
  } catch {
    return false;
  }
}
