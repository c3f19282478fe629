import { IsAsset, IsQueryBoolean } from '@bascule/validation';
import { IsArray, IsOptional } from 'class-validator';

export class AssetsQueryDto {
  @IsOptional()
  @IsArray()
  @IsAsset({ each: true })
  assets?: string[];

  @IsOptional()
  @IsQueryBoolean()
  sandbox?: boolean;
}
