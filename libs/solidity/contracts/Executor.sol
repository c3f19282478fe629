// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IOneTimeWallet} from "./interfaces/IOneTimeWallet.sol";
import {IOneTimeWalletFactory} from "./interfaces/IOneTimeWalletFactory.sol";
import {DeclarationHash} from "./libraries/DeclarationHash.sol";
import {Call, Declaration} from "./types/Declaration.sol";

/// @notice The executor that declarations name, so that the keys behind it can change while payments are open.
/// Holds no money and no rights but the one to execute declared legs.
contract Executor is Ownable2Step {
    using DeclarationHash for Declaration;

    mapping(address account => bool) public isOperator;

    event OperatorChanged(address indexed account, bool isOperator);

    error NotOperator();

    constructor(address owner, address[] memory operators) Ownable(owner) {
        for (uint256 i = 0; i < operators.length; i++) {
            _setOperator(operators[i], true);
        }
    }

    function setOperator(address account, bool allowed) external onlyOwner {
        _setOperator(account, allowed);
    }

    /// @notice Deploys the declaration's wallet when it is not there yet, and executes the leg. Only operators.
    /// @dev The parameters are those of {IOneTimeWallet-execute}.
    function execute(
        Declaration calldata declaration,
        uint256 leg,
        uint256 amount,
        uint256[] calldata fees,
        Call[] calldata calls
    ) external {
        if (!isOperator[msg.sender]) revert NotOperator();
        address wallet = IOneTimeWalletFactory(declaration.factory).deploy(declaration.hash());
        IOneTimeWallet(wallet).execute(declaration, leg, amount, fees, calls);
    }

    function _setOperator(address account, bool allowed) private {
        isOperator[account] = allowed;
        emit OperatorChanged(account, allowed);
    }
}
