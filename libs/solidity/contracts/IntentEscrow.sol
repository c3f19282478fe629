// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {IBridgeAdapter} from "./interfaces/IBridgeAdapter.sol";
import {IFillOracle, Outcome} from "./interfaces/IFillOracle.sol";
import {IIntentEscrow, OrderStatus} from "./interfaces/IIntentEscrow.sol";
import {Currency} from "./libraries/Currency.sol";
import {OrderHash} from "./libraries/OrderHash.sol";
import {OwnerSignature} from "./libraries/OwnerSignature.sol";
import {RefundText} from "./libraries/RefundText.sol";
import {BridgeRequest} from "./types/BridgeRequest.sol";
import {Order, RefundInstruction} from "./types/Order.sol";

/// @notice A token that the escrow accepts on a chain.
/// @param orderCap Cap of one order, in the token's smallest unit.
/// @param outstandingCap Cap of all open orders together.
struct EscrowedToken {
    uint256 chainId;
    address token;
    uint256 orderCap;
    uint256 outstandingCap;
}

/// @notice Escrow of intent orders. No owner: windows, oracle and caps are fixed at deployment, equal on every chain.
contract IntentEscrow is IIntentEscrow, ReentrancyGuardTransient {
    using OrderHash for Order;
    using OwnerSignature for bytes32;
    using SafeERC20 for IERC20;

    /// @notice Seconds after its opening in which an order can be filled.
    uint256 public immutable fillWindow;
    /// @notice Seconds from the fill deadline until an order is refundable without an outcome: longer than the finality
    /// of both chains plus the skew of their clocks.
    uint256 public immutable settleWindow;
    /// @notice Oracle of new orders.
    IFillOracle public immutable oracle;

    /// @notice Cap of one order of a token.
    mapping(address token => uint256) public orderCap;
    /// @notice Cap of all open orders of a token together.
    mapping(address token => uint256) public outstandingCap;
    /// @notice Amount of a token in open orders.
    mapping(address token => uint256) public outstanding;
    /// @inheritdoc IIntentEscrow
    mapping(bytes32 orderId => OrderStatus) public statusOf;
    /// @inheritdoc IIntentEscrow
    mapping(bytes32 orderId => address) public fillerOf;
    /// @notice Number of orders opened here.
    uint256 public orderCount;

    /// @param tokens Tokens of all chains, so that the address is the same on each; each chain keeps its own.
    constructor(uint256 fillWindow_, uint256 settleWindow_, IFillOracle oracle_, EscrowedToken[] memory tokens) {
        (fillWindow, settleWindow, oracle) = (fillWindow_, settleWindow_, oracle_);
        for (uint256 i = 0; i < tokens.length; i++) {
            if (tokens[i].chainId != block.chainid) continue;
            orderCap[tokens[i].token] = tokens[i].orderCap;
            outstandingCap[tokens[i].token] = tokens[i].outstandingCap;
        }
    }

    /// @inheritdoc IBridgeAdapter
    function bridge(BridgeRequest calldata request) external nonReentrant {
        if (request.destinationChainId == block.chainid) revert SameChain();
        if (request.destinationToken == Currency.NATIVE || request.minimum == 0) revert NothingToDeliver();
        uint256 held = outstanding[request.token] + request.amount;
        bool isAboveCap = request.amount > orderCap[request.token] || held > outstandingCap[request.token];
        if (request.amount == 0 || isAboveCap) revert AboveCap(request.token, request.amount);
        outstanding[request.token] = held;

        uint256 fillDeadline = block.timestamp + fillWindow;
        Order memory order = Order({
            wallet: msg.sender,
            owner: request.owner,
            originChainId: block.chainid,
            inputToken: request.token,
            inputAmount: request.amount,
            destinationChainId: request.destinationChainId,
            outputToken: request.destinationToken,
            recipient: msg.sender,
            minimum: request.minimum,
            nonce: ++orderCount,
            fillDeadline: fillDeadline,
            expires: fillDeadline + settleWindow,
            oracle: address(oracle)
        });
        bytes32 id = keccak256(abi.encode(address(this), order));
        statusOf[id] = OrderStatus.Open;
        emit Open(id, msg.sender, order);
        uint256 received = _receive(IERC20(request.token), address(this), request.amount);
        if (received != request.amount) revert WrongAmountReceived(received);
    }

    /// @inheritdoc IIntentEscrow
    function fill(Order calldata order, uint256 amount, address filler) external nonReentrant {
        bytes32 id = orderId(order);
        if (order.destinationChainId != block.chainid) revert WrongChain();
        if (block.timestamp > order.fillDeadline) revert FillWindowClosed();
        if (fillerOf[id] != address(0)) revert AlreadyFilled();
        if (filler == address(0)) revert NoFiller();
        fillerOf[id] = filler;
        emit Filled(id, filler, amount);
        uint256 received = _receive(IERC20(order.outputToken), order.recipient, amount);
        // Neither the token's own fee nor a concurrent transfer from another payment counts.
        uint256 delivered = received < amount ? received : amount;
        if (delivered < order.minimum) revert Currency.BelowMinimum(delivered, order.minimum);
    }

    /// @inheritdoc IIntentEscrow
    function release(Order calldata order) external nonReentrant {
        bytes32 id = _requireOpen(order);
        (Outcome outcome, address filler) = IFillOracle(order.oracle).outcomeOf(id);
        if (outcome != Outcome.Filled) revert NotFilled();
        _close(order, id, OrderStatus.Released);
        emit Released(id, filler, order.inputAmount);
        IERC20(order.inputToken).safeTransfer(filler, order.inputAmount);
    }

    /// @inheritdoc IIntentEscrow
    function refund(Order calldata order, RefundInstruction calldata instruction, bytes calldata signature)
        external
        nonReentrant
    {
        bytes32 id = _requireRefundable(order);
        if (block.timestamp >= instruction.validUntil) revert RefundTextDead();
        if (instruction.fee > order.inputAmount) revert FeeAboveAmount();
        bytes32 digest = MessageHashUtils.toEthSignedMessageHash(bytes(refundText(order, instruction)));
        if (!digest.isSignedBy(order.owner, signature)) revert WrongSignature();
        _refund(order, id, instruction.recipient, instruction.feeReceiver, instruction.fee);
    }

    /// @inheritdoc IIntentEscrow
    function refundByWallet(Order calldata order, address recipient) external nonReentrant {
        bytes32 id = _requireRefundable(order);
        if (msg.sender != order.wallet) revert NotWallet();
        _refund(order, id, recipient, address(0), 0);
    }

    /// @inheritdoc IIntentEscrow
    function refundToWallet(Order calldata order) external nonReentrant {
        bytes32 id = _requireRefundable(order);
        _refund(order, id, order.wallet, address(0), 0);
    }

    /// @inheritdoc IIntentEscrow
    function refundText(Order calldata order, RefundInstruction calldata instruction)
        public
        view
        returns (string memory)
    {
        return RefundText.write(order, instruction, orderId(order), address(this));
    }

    /// @inheritdoc IIntentEscrow
    function orderId(Order calldata order) public view returns (bytes32) {
        return order.id(address(this));
    }

    function _requireOpen(Order calldata order) private view returns (bytes32 id) {
        id = orderId(order);
        if (statusOf[id] != OrderStatus.Open) revert NotOpen();
    }

    /// @dev `Unknown`: refundable once the order expired, when a fill would have been attested. `Unfilled`: refundable
    /// after the fill deadline. `Filled`: never refundable.
    function _requireRefundable(Order calldata order) private view returns (bytes32 id) {
        id = _requireOpen(order);
        (Outcome outcome,) = IFillOracle(order.oracle).outcomeOf(id);
        uint256 from = outcome == Outcome.Unfilled ? order.fillDeadline + 1 : order.expires;
        if (outcome == Outcome.Filled || block.timestamp < from) revert NotRefundable();
    }

    function _refund(Order calldata order, bytes32 id, address recipient, address feeReceiver, uint256 fee) private {
        _close(order, id, OrderStatus.Refunded);
        uint256 amount = order.inputAmount - fee;
        emit Refunded(id, recipient, amount, feeReceiver, fee);
        IERC20(order.inputToken).safeTransfer(recipient, amount);
        if (fee != 0) IERC20(order.inputToken).safeTransfer(feeReceiver, fee);
    }

    function _close(Order calldata order, bytes32 id, OrderStatus status) private {
        statusOf[id] = status;
        outstanding[order.inputToken] -= order.inputAmount;
    }

    /// @dev Balance that the account gained by a transfer from the caller; zero when its balance fell.
    function _receive(IERC20 token, address to, uint256 amount) private returns (uint256) {
        uint256 before = token.balanceOf(to);
        token.safeTransferFrom(msg.sender, to, amount);
        uint256 afterwards = token.balanceOf(to);
        return afterwards > before ? afterwards - before : 0;
    }
}
