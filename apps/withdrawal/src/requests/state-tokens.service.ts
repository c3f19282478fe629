import { invalidField } from '@bascule/contracts';
import { SealedTokenError, SealedTokens } from '@bascule/sealed-tokens';
import { Injectable } from '@nestjs/common';

/** Content of a withdrawal's `state_token`; everything else is in its row. */
export interface WithdrawalToken {
  withdrawId: string;
  orgId: string;
}

/** Seals and opens the `state_token` of withdrawals. */
@Injectable()
export class StateTokensService {
  constructor(private readonly tokens: SealedTokens) {}

  seal(content: WithdrawalToken, expiresAt: Date): Promise<string> {
    return this.tokens.seal('withdrawal', content, expiresAt);
  }

  async open(token: string): Promise<WithdrawalToken> {
    try {
      return await this.tokens.open<WithdrawalToken>('withdrawal', token);
    } catch (error) {
      if (!(error instanceof SealedTokenError)) throw error;
      throw invalidField(['state_token'], error.message);
    }
  }
}
