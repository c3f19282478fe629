import { invalidField } from '@bascule/contracts';
import type { WithdrawAccount } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { EscrowAccountService } from './escrow/escrow-account.service.js';
import { WalletAccountService } from './wallet/wallet-account.service.js';
import type { WithdrawalAccount } from './withdrawal-account.js';

/** Registry of the accounts that money is withdrawn from. */
@Injectable()
export class WithdrawalAccountsService {
  private readonly accounts: Partial<Record<WithdrawAccount, WithdrawalAccount>>;

  constructor(wallet: WalletAccountService, escrow: EscrowAccountService) {
    this.accounts = { SPW: wallet, INTENT: escrow };
  }

  /** @throws ServiceError for an unsupported account */
  get(account: WithdrawAccount): WithdrawalAccount {
    const found = this.accounts[account];
    if (found === undefined) {
      throw invalidField(['withdraw_account'], 'The payment has no account of this kind.');
    }
    return found;
  }
}
