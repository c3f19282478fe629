// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice Token of the development chains: an ordinary ERC-20 with the name and decimals of a real one.
contract DevelopmentToken is ERC20, Ownable {
    uint8 private immutable _decimals;

    /// @param supply Balance of each holder, in the smallest unit.
    constructor(
        string memory name,
        string memory symbol,
        uint8 decimals_,
        address owner,
        address[] memory holders,
        uint256 supply
    ) ERC20(name, symbol) Ownable(owner) {
        _decimals = decimals_;
        for (uint256 i = 0; i < holders.length; i++) {
            _mint(holders[i], supply);
        }
    }

    function mint(address account, uint256 amount) external onlyOwner {
        _mint(account, amount);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}
