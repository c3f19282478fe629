// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {ERC20, ERC4626, IERC20} from "@openzeppelin/contracts/token/ERC20/extensions/ERC4626.sol";

/// @notice Vault of the development chains (ERC-4626): an example of what custom calls deposit into.
contract DevelopmentVault is ERC4626 {
    constructor(string memory name, string memory symbol, IERC20 asset) ERC4626(asset) ERC20(name, symbol) {}
}
