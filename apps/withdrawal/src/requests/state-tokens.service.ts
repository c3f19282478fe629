import { invalidField } from '@bascule/contracts';
import { SealedTokenError, SealedTokens } from '@bascule/sealed-tokens';
import { Injectable } from '@nestjs/common';

/** What a `state_token` of a withdrawal says; the rest is in the withdrawal's own row. */
export interface WithdrawalToken {
  withdrawId: string;
  orgId: string;
}

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
