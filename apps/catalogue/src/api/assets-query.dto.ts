import { IsAsset, IsQueryBoolean } from '@bascule/http';
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
