// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {ISanctionsList} from "../interfaces/ISanctionsList.sol";

/// @notice Sanctions list of the development chains: empty until its owner adds addresses.
contract DevelopmentSanctionsList is ISanctionsList, Ownable {
    mapping(address account => bool) public isSanctioned;

    event SanctionedAddressesAdded(address[] accounts);
    event SanctionedAddressesRemoved(address[] accounts);

    constructor(address owner) Ownable(owner) {}

    function addToSanctionsList(address[] calldata accounts) external onlyOwner {
        for (uint256 i = 0; i < accounts.length; i++) {
            isSanctioned[accounts[i]] = true;
        }
        emit SanctionedAddressesAdded(accounts);
    }

    function removeFromSanctionsList(address[] calldata accounts) external onlyOwner {
        for (uint256 i = 0; i < accounts.length; i++) {
            isSanctioned[accounts[i]] = false;
        }
        emit SanctionedAddressesRemoved(accounts);
    }
}
