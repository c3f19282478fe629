// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Create2} from "@openzeppelin/contracts/utils/Create2.sol";
import {Executor} from "../../contracts/Executor.sol";
import {Call, Declaration} from "../../contracts/types/Declaration.sol";
import {IHook} from "./Tokens.sol";

/// @notice Swaps at any given rate, from its own stock.
contract Market {
    using SafeERC20 for IERC20;

    receive() external payable {}

    function swap(address input, uint256 amountIn, address output, uint256 amountOut) external payable {
        if (input != address(0)) IERC20(input).safeTransferFrom(msg.sender, address(this), amountIn);
        if (output != address(0)) {
            IERC20(output).safeTransfer(msg.sender, amountOut);
        } else {
            (bool success,) = msg.sender.call{value: amountOut}("");
            require(success, "unpaid");
        }
    }
}

contract Rejecting {
    receive() external payable {
        revert("no");
    }
}

/// @notice Reverts without a reason.
contract Silent {
    fallback() external payable {
        assembly {
            revert(0, 0)
        }
    }
}

contract GasBurner {
    uint256 public burned;

    receive() external payable {
        while (true) burned++;
    }
}

/// @notice Returns excessive data (a return bomb).
contract ReturnBomb {
    receive() external payable {
        assembly {
            revert(0, 3000000)
        }
    }
}

/// @notice Forwards all native currency it receives.
contract Forwarder {
    address payable private immutable _to;

    constructor(address payable to) {
        _to = to;
    }

    receive() external payable {
        (bool success,) = _to.call{value: msg.value}("");
        require(success, "not forwarded");
    }
}

/// @notice Owner that is a contract (ERC-1271): accepts its key's signatures.
contract SmartAccount {
    address private immutable _signer;

    constructor(address signer) {
        _signer = signer;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        return ECDSA.recoverCalldata(hash, signature) == _signer ? this.isValidSignature.selector : bytes4(0);
    }
}

/// @notice Deploys smart accounts at predictable addresses.
contract AccountFactory {
    function predict(address signer) external view returns (address) {
        return Create2.computeAddress(bytes32(0), keccak256(_code(signer)));
    }

    function deploy(address signer) external returns (address) {
        return Create2.deploy(0, bytes32(0), _code(signer));
    }

    function _code(address signer) private pure returns (bytes memory) {
        return abi.encodePacked(type(SmartAccount).creationCode, abi.encode(signer));
    }
}

/// @notice Code that an EIP-7702 owner delegates to: rejects every signature.
contract RefusingAccount {
    function isValidSignature(bytes32, bytes calldata) external pure returns (bytes4) {
        return 0xffffffff;
    }
}

/// @notice Code on an operator's key (EIP-7702), through which a stolen key acts during a run.
contract NestingOperator is IHook {
    Executor private immutable _executor;
    bytes private _execution;
    /// @notice Number of its actions, by the account that gave control.
    mapping(address from => uint256) public strikes;

    constructor(Executor executor) {
        _executor = executor;
    }

    function arm(bytes calldata execution) external {
        _execution = execution;
    }

    function strike() public {
        bytes memory execution = _execution;
        delete _execution;
        strikes[msg.sender]++;
        (bool success, bytes memory reason) = address(_executor).call(execution);
        if (!success) {
            assembly {
                revert(add(reason, 0x20), mload(reason))
            }
        }
    }

    function onTransfer(address, address, uint256) external {
        if (_execution.length != 0) strike();
    }

    receive() external payable {
        strike();
    }
}

contract Thief {
    function take(IERC20 token, address from, uint256 amount) external {
        token.transferFrom(from, address(this), amount);
    }
}

/// @notice Target of custom calls.
contract Vault {
    using SafeERC20 for IERC20;

    mapping(address => uint256) public deposits;
    IHook private _stranger;

    /// @dev Gives control to a stranger on every later deposit.
    function setStranger(IHook stranger) external {
        _stranger = stranger;
    }

    function deposit(IERC20 token, uint256 amount, address account) external {
        token.safeTransferFrom(msg.sender, address(this), amount);
        deposits[account] += amount;
        if (address(_stranger) != address(0)) _stranger.onTransfer(msg.sender, address(this), amount);
    }

    function depositNative(address account) external payable {
        deposits[account] += msg.value;
        if (address(_stranger) != address(0)) _stranger.onTransfer(msg.sender, address(this), msg.value);
    }
}
