import { IsUuid } from '@bascule/validation';

export class StatusQueryDto {
  /** Id of the withdrawal. */
  @IsUuid()
  withdraw_id!: string;
}
