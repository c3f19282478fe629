import { IsQueryBoolean, IsUuid } from '@bascule/validation';
import { IsOptional } from 'class-validator';

export class PaymentQueryDto {
  @IsUuid()
  payment_id!: string;

  @IsOptional()
  @IsQueryBoolean()
  enable_withdraw_pending?: boolean;
}
